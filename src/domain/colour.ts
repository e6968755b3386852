/** A colour of sRGB, `#rrggbb` in small letters. */
export type Hex = `#${string}`

type Rgb = readonly [red: number, green: number, blue: number]

/** `#rrggbb` of a colour; null for what is none. */
export function hexOf(text: string): Hex | null {
  const [, short, long] = /^#?(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text.trim()) ?? []
  if (short !== undefined) return `#${short.toLowerCase().replaceAll(/./g, '$&$&')}`
  return long === undefined ? null : `#${long.toLowerCase()}`
}

/** Light of a channel, from 0 to 1 (IEC 61966-2-1, as WCAG 2.2 has it). */
const toLinear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

const fromLinear = (light: number): number =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055

const linearOf = (hex: Hex): Rgb => {
  const channel = (at: number) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  return [channel(1), channel(3), channel(5)]
}

const hexOfLinear = (rgb: Rgb): Hex =>
  `#${rgb
    .map((light) => Math.round(fromLinear(Math.min(1, Math.max(0, light))) * 255))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}`

const luminance = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** Contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(a: Hex, b: Hex): number {
  const [one, other] = [luminance(linearOf(a)), luminance(linearOf(b))]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** Blend of a translucent colour over a ground, as browsers mix them. */
export function mixed(colour: Hex, ground: Hex, share: number): Hex {
  const byte = (hex: Hex, at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  const both = (at: number) =>
    Math.round(byte(colour, at) * share + byte(ground, at) * (1 - share))
      .toString(16)
      .padStart(2, '0')
  return `#${both(1)}${both(3)}${both(5)}`
}

/** Lightness, and two opponent colours (Oklab, B. Ottosson 2020). */
type Oklab = readonly [lightness: number, a: number, b: number]

function toOklab([red, green, blue]: Rgb): Oklab {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOklab([lightness, a, b]: Oklab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const isInGamut = (rgb: Rgb): boolean => rgb.every((light) => light >= -1e-4 && light <= 1 + 1e-4)

const steps = 24

/** The largest number up to 1 that holds; 0 where none does. */
function largest(holds: (value: number) => boolean): number {
  let [low, high] = [0, 1]
  if (holds(1)) return 1
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

/**
 * A colour of the same hue that is as light as another one: it has that one's contrast with everything.
 * @param colourfulness share of the colour that it keeps; less where no screen can show it
 */
export function asLightAs(colour: Hex, model: Hex, colourfulness = 1): Hex {
  const [, a, b] = toOklab(linearOf(colour))
  const wanted = luminance(linearOf(model))
  const at = (lightness: number): Rgb => {
    const kept = largest((share) =>
      isInGamut(fromOklab([lightness, a * colourfulness * share, b * colourfulness * share])),
    )
    return fromOklab([lightness, a * colourfulness * kept, b * colourfulness * kept])
  }
  return hexOfLinear(at(largest((lightness) => luminance(at(lightness)) <= wanted)))
}
