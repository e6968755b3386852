import { api, ask } from './client'

/** A code that is on its way, and for which number. */
export interface Sent {
  /** As it was typed. */
  readonly typed: string
  /** As it is shown. */
  readonly phone: string
  readonly resendSeconds: number
  /** On the operator's own machine, before there is a provider of SMS. */
  readonly shownCode: string | null
}

/** Has a code sent to a number, as it was typed. */
export async function sendCode(typed: string): Promise<Sent> {
  const sent = await ask(api['sign-in'].post({ phone: typed }))
  const { phone, resend_seconds: resendSeconds, shown_code: shownCode } = sent
  return { typed, phone, resendSeconds, shownCode }
}
