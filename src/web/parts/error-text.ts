import { useTranslations } from 'use-intl'
import { ApiError } from '../client'

const minuteSeconds = 60
const hourSeconds = 3600

/** An error as a sentence that says what to do. */
export function useErrorText(): (error: unknown) => string {
  const t = useTranslations('errors')
  return (error) => {
    if (!(error instanceof ApiError)) return t('other')
    // One of the codes there are texts for: the server tells more than this build may know.
    const code = error.code as 'code_wrong'
    const wait = Number(error.facts['waitSeconds'])
    // In the units that texts speak of, rounded up.
    const facts = {
      ...error.facts,
      waitMinutes: Math.ceil(wait / minuteSeconds),
      waitHours: Math.ceil(wait / hourSeconds),
    }
    // Refused changes of operators come with their text.
    const told = error.facts['message'] as string | undefined
    return told ?? (t.has(code) ? t(code, facts as unknown as { left: number }) : t('other'))
  }
}
