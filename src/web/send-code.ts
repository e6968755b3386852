import { api, ask } from './client'

/** Code that is on its way. */
export interface SentCode {
  /** As it is shown. */
  readonly phone: string
  readonly digits: number
  /** Of one that was sent before and is good: seconds since then; null for one that is sent now. */
  readonly sentBeforeSeconds: number | null
  readonly resendSeconds: number
  /** In demo mode the code went to the terminal of the service. */
  readonly isInTerminal: boolean
}

/** Sign-in code that is on its way, and its number. */
export interface Sent extends SentCode {
  /** As it was typed. */
  readonly typed: string
}

/** Requests a sign-in code for a number, as it was typed. */
export async function sendCode(typed: string): Promise<Sent> {
  return { typed, ...sentCode(await ask(api['sign-in'].post({ phone: typed }))) }
}

/** Requests a code for the number of whoever is signed in. */
export const sendProofCode = async (): Promise<SentCode> =>
  sentCode(await ask(api.proof.code.post()))

interface Answer {
  readonly phone: string
  readonly digits: number
  readonly sent_before_seconds: number | null
  readonly resend_seconds: number
  readonly in_terminal: boolean
}

const sentCode = (sent: Answer): SentCode => ({
  phone: sent.phone,
  digits: sent.digits,
  sentBeforeSeconds: sent.sent_before_seconds,
  resendSeconds: sent.resend_seconds,
  isInTerminal: sent.in_terminal,
})
