// Shows the document that the address asks for; nothing is loaded from elsewhere.
/* global SwaggerUIBundle */
const wanted = new URLSearchParams(location.search).get("interface") === "in-app"
  ? "/api/openapi.json"
  : "/api/public/v1/openapi.json";

for (const link of document.querySelectorAll("nav a")) {
  if (link.dataset.document === wanted) link.setAttribute("aria-current", "page");
}
document.querySelector("#source").href = wanted;

SwaggerUIBundle({
  dom_id: "#reference",
  url: wanted,
  deepLinking: true,
  // Without this the page would ask an outside service for a badge.
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  tagsSorter: "alpha",
});
