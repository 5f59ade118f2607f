// Shows the OpenAPI document that the address names. Everything is loaded from this server.
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
  // Without this option, the page would load a badge from another server.
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  tagsSorter: "alpha",
});
