import { codesOf, filledText } from '../../domain/coded-texts'

/** What should be known of a value that was set, by code; the console has each in Persian too. */
export const remarkTexts = {
  colour_used:
    'pages use by day {day} (contrast {dayContrast} : 1), at night {night} ({nightContrast} : 1)',
  colour_too_light:
    '{colour} is too light to be read on a light page (contrast {contrast} : 1, and {minContrast} : 1 is needed): pages use its hue, by day {day} (contrast {dayContrast} : 1), at night {night} ({nightContrast} : 1)',
} as const

export type RemarkCode = keyof typeof remarkTexts
export const remarkCodes = codesOf(remarkTexts)

/** Remark on a value, with the facts of its text. */
export interface SettingRemark {
  readonly code: RemarkCode
  readonly facts: Readonly<Record<string, string>>
}

/** A remark in English, as commands print it. */
export const remarkText = ({ code, facts }: SettingRemark): string =>
  filledText(remarkTexts[code], facts)
