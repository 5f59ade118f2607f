/** Marks of the pages that ask whether somebody is a person; each is of one well-known product. */
const MARKS = [
  /<title>\s*(?:just a moment|attention required! \| cloudflare)/i,
  /\bcf-chl-|challenge-error-text|window\._cf_chl_opt/,
  /geo\.captcha-delivery\.com|captcha-delivery\.com\/c\.js/,
  /_Incapsula_Resource|Incapsula incident ID/,
  /id=["']px-captcha|_pxCaptcha/,
  /<title>\s*pardon our interruption/i,
  /errors\.edgesuite\.net/,
  /awsWafCookieDomainList|AwsWafIntegration\.(?:getToken|saveReferrer)/,
  /<title>\s*(?:access denied|zugriff verweigert|bot verification|robot check|sind sie ein mensch)/i,
];

/** Where such a page says what it is. */
const CHARACTERS_READ = 100_000;

/**
 * True for the text of a page that stands in front of a shop. Only for one without a price: shops
 * behind such a product carry its marks on every page.
 */
export function isBotWall(text: string): boolean {
  const begin = text.slice(0, CHARACTERS_READ);
  return MARKS.some((mark) => mark.test(begin));
}
