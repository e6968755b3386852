import { api, ask } from './client'

/** Sign-in code that is on its way, and its number. */
export interface Sent {
  /** As it was typed. */
  readonly typed: string
  /** As it is shown. */
  readonly phone: string
  readonly digits: number
  /** Of one that was sent before and is good: seconds since then; null for one that is sent now. */
  readonly sentBeforeSeconds: number | null
  readonly resendSeconds: number
  /** In demo mode the code went to the terminal of the service. */
  readonly isInTerminal: boolean
}

/** Requests a sign-in code for a number, as it was typed. */
export async function sendCode(typed: string): Promise<Sent> {
  const sent = await ask(api['sign-in'].post({ phone: typed }))
  return {
    typed,
    phone: sent.phone,
    digits: sent.digits,
    sentBeforeSeconds: sent.sent_before_seconds,
    resendSeconds: sent.resend_seconds,
    isInTerminal: sent.in_terminal,
  }
}
