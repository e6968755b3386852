import { CookieJar } from '../support/cookie-jar'
import type { TestGateway } from '../support/gateway'

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
export function openVisitor({ url }: Pick<TestGateway, 'url'>): Visitor {
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
      const { body } = await send('POST', '/sign-in', { phone })
      const { shown_code: code } = body as { shown_code: string }
      return await send('POST', '/sign-in/check', { phone, code })
    },
    async prove() {
      const { body } = await send('POST', '/proof/code')
      const { shown_code: code } = body as { shown_code: string }
      return await send('POST', '/proof/code/check', { code })
    },
  }
}
