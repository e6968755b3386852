import { asLightAs, contrast, hexOf, mixed, type Hex } from '../../domain/colour'
import { refused, type SettingType } from './types'

/** The service's own shades, from light to dark; those of another colour are as light as these. */
const ownShades: readonly (readonly [shade: Hex, colourfulness: number])[] = [
  ['#e9f7f5', 0.14],
  ['#cfece8', 0.3],
  ['#a3dad4', 0.55],
  ['#72c6bf', 0.8],
  ['#48b0a8', 1],
  ['#239a92', 1],
  ['#0f827b', 1],
  ['#0b6b66', 1],
  ['#0a5754', 0.9],
  ['#084341', 0.75],
]

/** Page backgrounds, light and dark. */
const surfaces = { paper: '#f7f7f4', night: '#191e1c' } as const
/** Opacity of the colour behind selected and hovered elements. */
const tint = 0.14
/** WCAG 2.2, 1.4.3 (AA): text below 24 px. */
const minContrast = 4.5

export interface BrandColour {
  /** As it was set. */
  readonly colour: Hex
  /** Ten, from light to dark: 7 acts and is written with by day, 6 acts by night, 4 is written with then. */
  readonly shades: readonly Hex[]
}

/** Where it is hardest to read by day. */
const contrastByDay = (colour: Hex): number => contrast(colour, mixed(colour, surfaces.paper, tint))

const brandColourOf = (colour: Hex): BrandColour => ({
  colour,
  shades: ownShades.map(([shade, colourfulness], at) =>
    at === 7 && contrastByDay(colour) >= minContrast
      ? colour
      : asLightAs(colour, shade, colourfulness),
  ),
})

/** A colour for what acts, or `none` for the service's own. */
export const brandColour: SettingType<BrandColour | null> = {
  written: 'a colour such as #0b6b66, or none',
  parse(text) {
    if (text === 'none') return null
    const colour = hexOf(text)
    if (colour === null) throw refused(brandColour.written, text)
    return brandColourOf(colour)
  },
  show: (value) => value?.colour ?? 'none',
  plain: (value) => value?.colour ?? null,
  remark(value) {
    if (value === null) return null
    const { colour, shades } = value
    const [day, night] = [shades[7] ?? colour, shades[4] ?? colour]
    const used = {
      day,
      dayContrast: contrastByDay(day).toFixed(1),
      night,
      nightContrast: contrast(night, surfaces.night).toFixed(1),
    }
    if (day === colour) return { code: 'colour_used', facts: used }
    const facts = {
      ...used,
      colour,
      contrast: contrastByDay(colour).toFixed(1),
      minContrast: minContrast.toFixed(1),
    }
    return { code: 'colour_too_light', facts }
  },
}
