import { escapeHtml } from '../gateway/http/escape-html'
import type { Hex } from '../domain/colour'
import type { BrandColour } from '../gateway/settings/brand-colour'
import type { BrandLogo } from '../gateway/settings/brand-logo'

/** Brand of the service, as people see it. */
export interface ShownBrand {
  readonly name: string
  /** Null for the service's own. */
  readonly colour: BrandColour | null
  readonly logo: BrandLogo | null
}

/** Below it lies the logo, under its hash. */
export const brandPath = '/brand/'
const yearSeconds = 31_536_000
const endings = { 'image/svg+xml': 'svg', 'image/png': 'png' } as const

/** The tile with the saffron seal, in the colour of the service. */
const markSvg = (tile: Hex): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="48" height="48" aria-hidden="true"><rect width="32" height="32" rx="8" fill="${tile}"/><g fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"><rect x="8.5" y="8.5" width="15" height="15"/><rect x="8.5" y="8.5" width="15" height="15" transform="rotate(45 16 16)"/></g><circle cx="16" cy="16" r="2.6" fill="#f2b544"/></svg>`

const ownTile = '#0b6b66'
const tileOf = ({ colour }: ShownBrand): Hex => colour?.shades[7] ?? ownTile

/** Where the logo is; null where the service has its own mark. */
const logoUrl = ({ logo }: ShownBrand): string | null =>
  logo === null ? null : `${brandPath}${logo.hash}.${endings[logo.type]}`

/** An address of the sign of the service, for tabs. */
export const iconUrl = (brand: ShownBrand): string =>
  logoUrl(brand) ?? `data:image/svg+xml,${encodeURIComponent(markSvg(tileOf(brand)))}`

/** The sign of the service, as HTML; its name stands beside it. */
export function markOf(brand: ShownBrand): string {
  const url = logoUrl(brand)
  return url === null
    ? markSvg(tileOf(brand))
    : `<img class="logo" src="${escapeHtml(url)}" height="48" alt="" />`
}

/** Colours of a page in the place of its own: of what acts, of its fill, and of the first bars. */
export function brandStyle(
  { colour }: ShownBrand,
  scheme: 'data-scheme' | 'data-mantine-color-scheme',
) {
  if (colour === null) return ''
  const [byDay, atNight] = [
    [7, 7, 6],
    [4, 6, 4],
  ].map((places) => {
    const [act, fill, bar] = places.map((place) => colour.shades[place])
    return `--act:${act};--fill:${fill};--chart-1:${bar}`
  })
  return `html:root{${byDay}}html:root[${scheme}=dark]{${atNight}}@media(prefers-color-scheme:dark){html:root[${scheme}=auto]{${atNight}}}`
}

/** Brand facts that the app draws itself with. */
export const brandFacts = (brand: ShownBrand) => ({
  shades: brand.colour?.shades ?? null,
  logo: logoUrl(brand),
})
/**
 * The logo at its address, which holds its hash. Opened by itself it can neither run nor load
 * anything.
 */
export function logoResponse({ logo }: ShownBrand, path: string): Response {
  const name = path.slice(brandPath.length)
  if (logo === null || name !== `${logo.hash}.${endings[logo.type]}`)
    return new Response('not found\n', { status: 404, headers: { 'cache-control': 'no-store' } })
  return new Response(logo.bytes, {
    headers: {
      'content-type': logo.type,
      'cache-control': `public, max-age=${yearSeconds}, immutable`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
  })
}
