import { useNumbers } from '../numbers'
import { preferences } from '../preferences'
import type { Result } from './operate'

/*
 * Settings and findings say what they are in English, as commands do; Persian stands here. So each
 * language has one source.
 */

type Setting = Result<'GET /settings'>['data'][number]
type Finding = Result<'GET /health/doctor'>['data'][number]

const persian =
  preferences().language === 'fa'
    ? { ...(await import('./texts/fa-meanings')), ...(await import('./texts/fa-findings')) }
    : null

/** Language and direction of the meanings of settings and findings. */
export const meaningLanguage = persian === null ? ({ lang: 'en', dir: 'ltr' } as const) : {}

/** Meaning of a setting, and its written form. */
export function meaningOf({ name, about, must_be: written }: Setting) {
  return persian?.faMeanings[name] ?? { about, written }
}

/** Words of a finding. */
export function useFoundWords(): (finding: Finding) => {
  readonly check: string
  readonly found: string
  readonly advice: string | null
} {
  const { digits } = useNumbers()
  return (finding) => {
    if (persian === null) return finding
    const { check, found, advice = null } = persian.faFindings[finding.code]
    const filled = (text: string) =>
      text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const fact = finding.facts[name] ?? ''
        return typeof fact === 'number' || /^\d+(?:\.\d+)?$/.test(fact)
          ? digits(String(fact))
          : `\u2068${fact}\u2069`
      })
    return {
      check: filled(check),
      found: filled(found),
      advice: advice === null ? null : filled(advice),
    }
  }
}
