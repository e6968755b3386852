import { useNumbers } from '../numbers'
import { preferences } from '../preferences'
import { isolatedCommands } from './isolated-commands'
import type { Result } from './operate'

/*
 * Settings and findings say what they are in English, as commands do; Persian stands here. So each
 * language has one source.
 */

type Setting = Result<'GET /settings'>['data'][number]
type Proposed = Pick<
  Result<'GET /price-proposals'>['data'][number],
  'cause' | 'cause_code' | 'cause_facts'
>
type Source = Pick<
  Result<'POST /price-checks'>['sources'][number],
  'problem' | 'problem_code' | 'problem_facts'
>
type Finding = Result<'GET /health/doctor'>['data'][number]

const persian =
  preferences().language === 'fa'
    ? { ...(await import('./texts/fa-meanings')), ...(await import('./texts/fa-findings')) }
    : null

const english = { lang: 'en', dir: 'ltr' } as const

/** Language and direction of the meanings of settings and findings. */
export const meaningLanguage = persian === null ? english : ({ lang: 'fa', dir: 'rtl' } as const)

/** Same, of a text that is kept: one without a code is English. */
export const languageOf = (code: string | null) => (code === null ? english : meaningLanguage)

/** Meaning of a setting, and its written form. */
export function meaningOf({ name, about, must_be: written }: Setting) {
  return persian?.faMeanings[name] ?? { about, written }
}

/** Persian texts with their facts: numbers in Persian digits, the rest as it is; commands in one piece. */
function useFilled() {
  const { digits } = useNumbers()
  return (text: string, facts: Readonly<Record<string, string | number>>): string =>
    isolatedCommands(text).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const fact = facts[name] ?? ''
      return typeof fact === 'number' || /^\d+(?:\.\d+)?$/.test(fact)
        ? digits(String(fact))
        : `\u2068${fact}\u2069`
    })
}

/** What should be known of the value of a setting; null for nothing. */
export function useRemark(): (setting: Setting) => string | null {
  const filled = useFilled()
  return ({ remark, remark_code: code, remark_facts: facts }) =>
    persian === null || code === null ? remark : filled(persian.faRemarks[code], facts)
}

/** Why a price was proposed. */
export function useCause(): (proposal: Proposed) => string {
  const filled = useFilled()
  return ({ cause, cause_code: code, cause_facts: facts }) =>
    persian === null || code === null ? cause : filled(persian.faCauses[code], facts)
}

/** Why nothing of a source of public prices counts; null where it was read. */
export function useSourceProblem(): (source: Source) => string | null {
  const filled = useFilled()
  return ({ problem, problem_code: code, problem_facts: { file, ...facts } }) => {
    if (persian === null || code === null) return problem
    const text = persian.faSourceProblems[code]
    return file === undefined ? filled(text, facts) : filled(`{file}: ${text}`, { ...facts, file })
  }
}

/** Words of a finding. */
export function useFoundWords(): (finding: Finding) => {
  readonly check: string
  readonly found: string
  readonly advice: string | null
} {
  const filled = useFilled()
  return (finding) => {
    if (persian === null) return finding
    const { check, found, advice = null } = persian.faFindings[finding.code]
    const { facts } = finding
    return {
      check: filled(check, facts),
      found: filled(found, facts),
      advice: advice === null ? null : filled(advice, facts),
    }
  }
}
