/** Texts that a page without escaping would treat as code or markup; code would set `__pwned`. */
export function hostileTitles(): readonly string[] {
  return [
    '<img src=x onerror="window.__pwned=1">',
    "<script>window.__pwned=1</script>",
    '"><svg onload=window.__pwned=1>',
    "javascript:window.__pwned=1",
    '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
    "{{constructor.constructor('window.__pwned=1')()}}",
    "${window.__pwned=1}",
    "</title><style>*{display:none}</style>",
    "'-window.__pwned=1-'",
    "\u202e<b>umgekehrt</b>",
  ];
}
