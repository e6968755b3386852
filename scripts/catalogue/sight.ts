import type { PictureRule, Traits } from '../../src/domain/model'

const tiles = (base: number, each: number): PictureRule => ({ by: 'tiles', base, each })
const patches = (each: number): PictureRule => ({ by: 'patches', side: 32, each, most: 1536 })
const claude = (most: number): PictureRule => ({ by: 'patches', side: 28, each: 1, most })

/**
 * How families count a picture in a prompt; the last row that fits counts. Facts of November 2026, as
 * the vendors publish them, of the newest measured by others.
 */
const families: readonly (readonly [ids: RegExp, rule: PictureRule])[] = [
  [/^(?:chatgpt-4o|gpt-4o|gpt-4-turbo|gpt-4\.[15])/, tiles(85, 170)],
  [/^gpt-4o-mini/, tiles(2833, 5667)],
  [/^o\d/, tiles(75, 150)],
  [/^gpt-5/, tiles(70, 140)],
  [/^gpt-(?:4\.1|5(?:\.\d)?(?:-codex)?)-mini/, patches(1.62)],
  [/^gpt-(?:4\.1|5(?:\.\d)?)-nano/, patches(2.46)],
  [/^(?:o4-mini|codex-mini)/, patches(1.72)],
  // Of `auto` nothing is capped.
  [/^gpt-(?:5\.[5-9]|[6-9])/, { by: 'patches', side: 32, each: 1.2 }],
  [/^claude/, claude(1600)],
  [/^claude-(?:fable|opus-(?:4[-.][789]|5)|sonnet-5|haiku-5)/, claude(4000)],
  [/^gemini/, { by: 'picture', each: 1120 }],
  [/^gemini-(?:[12]\b|robotics-er-1)/, { by: 'squares', each: 258 }],
]

/** The rule of a model that is shown pictures, whoever sells it. @param id such as `openai/gpt-4o` */
export function sightOf(id: string): Traits {
  const own = id.slice(id.lastIndexOf('/') + 1).toLowerCase()
  const rule = families.findLast(([ids]) => ids.test(own))?.[1]
  return rule === undefined ? {} : { sight: rule }
}
