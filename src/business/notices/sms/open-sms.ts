import type { Phone } from '../../../domain/phone'
import { messageTo, noticeTo, type SmsFault, type SmsReply, type SmsRequest } from './dialect'
import { smsKinds } from './kinds'
import type { SmsProvider, SmsProviderStore } from './provider'

/** Refusal by a provider, as its own code. Never the phone, never the code that was sent. */
export class SmsError extends Error {
  constructor(
    readonly provider: string,
    readonly fault: SmsFault,
  ) {
    super(`${provider} did not take the message: ${fault.code}`)
    this.name = 'SmsError'
  }
}

/** Ways out, handed in. */
export interface SmsWays {
  /** One POST, never repeated. @throws when there was no answer */
  post(request: SmsRequest): Promise<SmsReply>
  /** Runs a program with this on its standard input. @returns its exit code */
  run(command: readonly string[], input: string): Promise<number>
  /** Where only the operator reads; null outside of demo mode, where nothing is shown there. */
  readonly terminal: SmsTerminal | null
}

/** Stands in for phones while the service is tried. */
interface SmsTerminal {
  code(phone: Phone, code: string): void
  notice(phone: Phone, text: string): void
}

interface SmsParts {
  readonly store: SmsProviderStore
  readonly ways: SmsWays
  /** Text of an SMS where no template of the provider gives it. */
  text(code: string): string
}

export interface Sms {
  /**
   * Sends a code once: by the first provider, and by the next only where that one said a passing
   * fault. Without any provider it goes to the terminal, in demo mode alone.
   * @throws SmsError
   */
  send(phone: Phone, code: string): Promise<{ readonly isPrinted: boolean }>
  /** Sends by this provider alone. @throws SmsError */
  sendBy(provider: SmsProvider, phone: Phone, code: string): Promise<void>
  /**
   * Sends a notice by the first provider that is set up for notices, and by the next as for codes.
   * @throws SmsError
   */
  notify(phone: Phone, text: string): Promise<void>
}

/** It may have been sent all the same: another provider would send a second one. */
const noAnswer: SmsFault = { code: 'no_answer', isPassing: false }

/** Nothing is printed but in demo mode. */
const notInDemo: SmsFault = { code: 'not_in_demo', isPassing: false }

/** Another provider may be. */
const notForNotices: SmsFault = { code: 'not_set_up_for_notices', isPassing: true }

/** Whether no provider will ever take a notice as they are set up now. */
export const isNotForNotices = (thrown: unknown): boolean =>
  thrown instanceof SmsError && (thrown.fault === notForNotices || !thrown.fault.isPassing)

/** Whether a provider did not take the message as far as we know, but may have. */
export const mayBeSent = (thrown: unknown): boolean =>
  thrown instanceof SmsError && thrown.fault === noAnswer

/** Codes of a connection that was never there, as the runtime names them. */
const unreached = /^(?:ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENOTFOUND|EAI_|DNS)/

const isUnreached = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && unreached.test(String(thrown.code))

/** Two at most: a person waits. */
const maxProviders = 2
const logProvider: SmsProvider = { name: 'log', kind: 'log', options: {}, secret: null }

export function openSms(parts: SmsParts): Sms {
  const { store } = parts
  const { faultOf, noticeFault } = openFaults(parts)
  const sendBy = async (provider: SmsProvider, phone: Phone, code: string): Promise<void> => {
    const fault = await faultOf(provider, phone, code)
    if (fault !== null) throw new SmsError(provider.name, fault)
  }

  /** By the first provider, and by the next only where that one said a passing fault. */
  async function byFirst(sendOne: (provider: SmsProvider) => Promise<void>): Promise<SmsProvider> {
    const stored = (await store.list()).slice(0, maxProviders)
    const providers = stored.length === 0 ? [logProvider] : stored
    let last: unknown = null
    for (const provider of providers)
      try {
        await sendOne(provider)
        return provider
      } catch (thrown) {
        if (!(thrown instanceof SmsError) || !thrown.fault.isPassing) throw thrown
        last = thrown
      }
    throw last
  }

  return {
    sendBy,
    async notify(phone, text) {
      await byFirst(async (provider) => {
        const fault = await noticeFault(provider, phone, text)
        if (fault !== null) throw new SmsError(provider.name, fault)
      })
    },
    async send(phone, code) {
      const { kind } = await byFirst((provider) => sendBy(provider, phone, code))
      return { isPrinted: kind === 'log' }
    },
  }
}

/** Refusal in a provider's answer; null where it accepted the SMS. */
function openFaults({ ways, text }: SmsParts) {
  async function faultOf(
    provider: SmsProvider,
    phone: Phone,
    code: string,
  ): Promise<SmsFault | null> {
    const { kind, secret } = provider
    const { dialect, secret: needs } = smsKinds[kind]
    if (kind === 'log') {
      if (ways.terminal === null) return notInDemo
      ways.terminal.code(phone, code)
      return null
    }
    if (needs === 'needed' && secret === null) return { code: 'no_secret', isPassing: true }
    const message = messageTo(phone, code)
    if (dialect === null) return await runFault(provider, JSON.stringify(message))
    const spoken = dialect(provider, text)
    try {
      return spoken.fault(await ways.post(spoken.request(message)))
    } catch (thrown) {
      return isUnreached(thrown) ? { code: 'unreachable', isPassing: true } : noAnswer
    }
  }

  async function runFault({ options }: SmsProvider, input: string): Promise<SmsFault | null> {
    try {
      const exit = await ways.run((options['command'] ?? '').split(/\s+/), `${input}\n`)
      return exit === 0 ? null : { code: `exit_${exit}`, isPassing: true }
    } catch {
      return { code: 'not_started', isPassing: true }
    }
  }

  async function noticeFault(
    provider: SmsProvider,
    phone: Phone,
    text: string,
  ): Promise<SmsFault | null> {
    const { kind } = provider
    if (kind === 'log') {
      if (ways.terminal === null) return notInDemo
      ways.terminal.notice(phone, text)
      return null
    }
    const notice = noticeTo(phone, text)
    if (kind === 'command') return await runFault(provider, JSON.stringify(notice))
    const dialect = smsKinds[kind].texts(provider)
    if (dialect === null) return notForNotices
    try {
      return dialect.fault(await ways.post(dialect.request(notice)))
    } catch (thrown) {
      return isUnreached(thrown) ? { code: 'unreachable', isPassing: true } : noAnswer
    }
  }

  return { faultOf, noticeFault }
}
