import { CookieJar } from '../support/cookie-jar'
import type { TestGateway } from '../support/gateway'
import { paced } from '../support/pace'

/** A browser on this machine, with its cookies. */
export interface Visitor {
  /** The cookie of its session, as it is sent; empty before signing in. */
  cookie(): string
  send(method: string, path: string, body?: unknown, headers?: object): Promise<Reply>
  /** Asks for a code and takes it. */
  signIn(phone: string): Promise<Reply>
  /** Shows anew who they are, by a code. */
  prove(): Promise<Reply>
}

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: never
}

/** @param path below `/app/api` */
export function openVisitor({ url, logs }: Pick<TestGateway, 'url' | 'logs'>): Visitor {
  const { origin } = new URL(url)
  const jar = new CookieJar()
  const send: Visitor['send'] = async (method, path, body, headers = {}) => {
    const cookie = jar.all()
    const response = await fetch(`${origin}/app/api${path}`, {
      method,
      headers: {
        origin,
        'sec-fetch-site': 'same-origin',
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    jar.keep(response.headers)
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as never,
    }
  }
  return {
    cookie: () => jar.session(),
    send,
    async signIn(phone) {
      const before = logs()
      await send('POST', '/sign-in', { phone })
      const code = await printedCode(() => logs().slice(before.length))
      return await send('POST', '/sign-in/check', { phone, code })
    },
    async prove() {
      const before = logs()
      await send('POST', '/proof/code')
      const code = await printedCode(() => logs().slice(before.length))
      return await send('POST', '/proof/code/check', { code })
    },
  }
}

/** Status of an answer of the session API, and the code of a refusal. */
export const statusAndCode = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { error?: { code: string } } | null)?.error?.code,
]

/** The word of the newest payment at the test bank. @param logs of a gateway in demo mode */
export function printedWord(logs: string): string {
  const word = logs
    .match(/Test bank: the word for .* is ([\dA-Z-]+)/g)
    ?.at(-1)
    ?.split(' ')
    .at(-1)
  if (word === undefined) throw new Error(`no word was printed, but: ${logs}`)
  return word
}

/** Sign-in codes that a gateway in demo mode has printed, the oldest first. */
export const printedCodes = (logs: string): readonly string[] =>
  [...logs.matchAll(/Sign-in code for .*: (\d{6,12})/g)].map(([, code = '']) => code)

const maxWaitMs = paced(20_000)

/** The sign-in code that a gateway in demo mode prints next. @param logs what it has printed since */
export async function printedCode(logs: () => string): Promise<string> {
  const until = performance.now() + maxWaitMs
  for (;;) {
    const [code] = printedCodes(logs())
    if (code !== undefined) return code
    if (performance.now() > until) throw new Error(`no sign-in code was printed, but: ${logs()}`)
    await Bun.sleep(2)
  }
}
