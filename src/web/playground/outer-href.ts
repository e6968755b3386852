const outerProtocols: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:'])

/** Target of a link in a model's answer; null where a browser might run it, or it leads into this page. */
export function outerHref(href: string): string | null {
  const url = URL.parse(href)
  return url !== null && outerProtocols.has(url.protocol) ? url.href : null
}
