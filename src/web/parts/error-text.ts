import { useTranslations } from 'use-intl'
import { ApiError } from '../client'

const minuteSeconds = 60
const hourSeconds = 3600

/** A wait in the units that texts speak of, rounded up. */
function waits(seconds: unknown): Record<string, number> {
  if (typeof seconds !== 'number') return {}
  return {
    waitMinutes: Math.ceil(seconds / minuteSeconds),
    waitHours: Math.ceil(seconds / hourSeconds),
  }
}

/** An error as a sentence that says what to do. */
export function useErrorText(): (error: unknown) => string {
  const t = useTranslations('errors')
  return (error) => {
    if (!(error instanceof ApiError)) return t('other')
    // One of the codes there are texts for: the server tells more than this build may know.
    const code = error.code as 'code_wrong'
    // The server says it whole, in the language of the page.
    const { message } = error.facts
    if (typeof message === 'string') return message
    const facts = { ...error.facts, ...waits(error.facts['waitSeconds']) }
    return t.has(code) ? t(code, facts as unknown as { left: number }) : t('other')
  }
}
