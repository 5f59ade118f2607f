import { render } from "preact";
import "uplot/dist/uPlot.min.css";
render(<div>Kurant</div>, document.body);
