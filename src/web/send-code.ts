import { api, ask } from './client'

/** Sign-in code that is on its way, and its number. */
export interface Sent {
  /** As it was typed. */
  readonly typed: string
  /** As it is shown. */
  readonly phone: string
  readonly resendSeconds: number
  /** On the operator's own machine, before there is a provider of SMS. */
  readonly shownCode: string | null
}

/** Requests a sign-in code for a number, as it was typed. */
export async function sendCode(typed: string): Promise<Sent> {
  const sent = await ask(api['sign-in'].post({ phone: typed }))
  const { phone, resend_seconds: resendSeconds, shown_code: shownCode } = sent
  return { typed, phone, resendSeconds, shownCode }
}
