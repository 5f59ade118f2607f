"""Ten calls of a nightly job: KURANT=… KEY=… python examples/ten_calls.py"""

import io
import json
import os
import time

from kurant_api import models
from kurant_api.api.imports import get_products_import, import_products
from kurant_api.api.market import list_market
from kurant_api.api.me import list_me
from kurant_api.api.price_export import list_price_arrivals, list_price_changes
from kurant_api.api.products import batch_products, get_product
from kurant_api.api.proposals import approve_proposal, list_proposals
from kurant_api.api.settings import list_settings
from kurant_api.types import File
from kurant_client import connect

client = connect(os.environ["KURANT"], os.environ["KEY"])


def told(answer):
    """Returns the answer, or ends the program if the service refused the request."""
    if isinstance(answer, models.Error):
        raise SystemExit(f"{answer.error.code}: {answer.error.message}")
    return answer


def show(*values):
    print(json.dumps(values, ensure_ascii=False, separators=(",", ":")))


me = told(list_me.sync(client=client)).data
show(me.key.name, me.workspace.currency)

settings = told(list_settings.sync(client=client)).data
show(settings.prices_include_vat, settings.vat_rate_pct)

file = "sku;title;price;cost\nEX-1;Wasserkocher;49,90;20\nEX-2;Toaster;39,90;15\n"
job = told(
    import_products.sync(
        client=client, body=File(payload=io.BytesIO(file.encode())), source="default", prefer="wait=30"
    )
).data
while job.status in ("queued", "running"):
    time.sleep(0.5)
    job = told(get_products_import.sync(job.job_id, client=client)).data
show(job.status, job.stats.inserted)

items = [{"sku": "EX-1", "ourPrice": 47.9}, {"sku": "EX-2", "stock": 3}]
batch = told(batch_products.sync(client=client, body=models.ProductBatch.from_dict({"items": items})))
show(*(result.outcome for result in batch.data))

product = told(get_product.sync("EX-1", client=client)).data
show(product.title, product.our_price_cents)

market = told(list_market.sync(client=client, sku="KS-300")).data
show(market[0].position, market[0].gap_cents)

proposals = told(list_proposals.sync(client=client)).data
show(proposals[0].sku, proposals[0].proposed_cents)

approval = models.ProposalApproval(reason="As the market")
decided = told(approve_proposal.sync(proposals[0].id, client=client, body=approval)).data
show(decided.status, decided.decision_reason)

changes = told(list_price_changes.sync(client=client)).data
show(*([change.sku, change.to_cents] for change in changes))

arrivals = told(list_price_arrivals.sync(client=client)).data
show(len(arrivals))
