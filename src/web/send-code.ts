import { api, ask } from './client'

/** Sign-in code that is on its way, and its number. */
export interface Sent {
  /** As it was typed. */
  readonly typed: string
  /** As it is shown. */
  readonly phone: string
  readonly resendSeconds: number
  /** In demo mode the code went to the terminal of the service. */
  readonly isInTerminal: boolean
}

/** Requests a sign-in code for a number, as it was typed. */
export async function sendCode(typed: string): Promise<Sent> {
  const sent = await ask(api['sign-in'].post({ phone: typed }))
  const { phone, resend_seconds: resendSeconds, in_terminal: isInTerminal } = sent
  return { typed, phone, resendSeconds, isInTerminal }
}
