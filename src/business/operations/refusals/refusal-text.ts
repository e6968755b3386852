import type { Language } from '../../../errors/gateway-error'
import type { AdminCode, AdminError } from '../admin-error'
import { refusalsEn } from './refusals-en'
import { refusalsFa } from './refusals-fa'

/** A refused change as a sentence. */
export const refusalText = <Code extends AdminCode>(
  { code, facts }: AdminError<Code>,
  language: Language,
): string => (language === 'en' ? refusalsEn : refusalsFa)[code](facts)

/** A refused change as a whole sentence, as pages show it. */
export function refusalSentence(error: AdminError, language: Language): string {
  const clause = refusalText(error, language)
  if (language === 'fa') return clause
  const text = error.code === 'vendor_trial_failed' ? withSubject(clause) : clause
  // A name that it begins with is spelt as it is.
  const isName = Object.values(error.facts).some(
    (fact) => fact !== '' && text.startsWith(String(fact)),
  )
  const begun = isName ? text : text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/.test(begun) ? begun : `${begun}.`
}

/** `openai: it wants a key` with the vendor as the subject; an address that is the subject stands alone. */
const withSubject = (clause: string): string =>
  clause.replace(/^(\S+): (it )?/, (_, vendor: string, it?: string) => (it ? `${vendor} ` : ''))
