import type { VendorConfig } from '../../../src/domain/model'
import type { Storage } from '../../../src/business/data/storage'
import { handClock } from '../../storage/folder'
import { openTestGateway, type TestGateway, type TestGatewayOptions } from '../../support/gateway'

/** What a video tells of itself. */
export interface ShownVideo {
  readonly id: string
  readonly status: string
  readonly progress: number
  readonly usd: string
  readonly refunded: boolean
  readonly seconds: string
  readonly size: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly completed_at: number | null
  readonly expires_at: number | null
}

/** A gateway whose time only passes by hand, with a model of videos. */
export interface Desk {
  readonly chapar: TestGateway
  readonly clock: ReturnType<typeof handClock>
  send(method: string, path: string, body?: unknown, headers?: object): Promise<Response>
  order(rest?: object): Promise<ShownVideo>
  show(id: string): Promise<ShownVideo>
  /** Lets time pass, and the runner do what is due, until it holds. */
  pass(ms: number, holds?: () => boolean | Promise<boolean>): Promise<void>
  /** Dollars on the account. */
  balance(): Promise<number>
}

const filmPrice = 0.1

export async function openDesk(
  vendorUrl: string,
  options: TestGatewayOptions & { readonly vendor?: Partial<VendorConfig> } = {},
): Promise<Desk> {
  const clock = handClock()
  const { vendor, ...rest } = options
  const chapar = await openTestGateway({
    clock,
    ...rest,
    async prepare(storage) {
      await addFilm(storage, vendorUrl, vendor)
      await rest.prepare?.(storage)
    },
  })
  const { runner } = chapar.gateway.parts.videos
  const send: Desk['send'] = (method, path, body, headers = {}) =>
    fetch(`${chapar.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${chapar.key}`,
        'accept-language': 'en',
        ...(body === undefined || body instanceof FormData
          ? {}
          : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
  return {
    chapar,
    clock,
    send,
    async order(more = {}) {
      const answer = await send('POST', '/videos', { model: 'film', prompt: 'the sea', ...more })
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
      return (await answer.json()) as ShownVideo
    },
    show: async (id) => (await (await send('GET', `/videos/${id}`)).json()) as ShownVideo,
    async pass(ms, holds = () => true) {
      clock.set(clock.now() + ms)
      for (let tries = 0; tries < 2000; tries++) {
        await runner.step()
        await Bun.sleep(2)
        await runner.step()
        if (await holds()) return
        // An answer that was read after the clock was set has its next look later.
        if (tries > 200) clock.set(clock.now() + ms / 200)
      }
      throw new Error('it never held')
    },
    balance: async () => Number((await chapar.rest()).balance) / 1e9,
  }
}

export async function addFilm(
  storage: Storage,
  baseUrl: string,
  vendor: Partial<VendorConfig> = {},
): Promise<void> {
  await storage.catalogue.saveVendor({
    name: 'films',
    kind: 'openai',
    dialect: 'generic',
    baseUrl,
    credential: 'sk-vendor-secret',
    timeoutMs: 90_000,
    transport: 'own',
    active: true,
    source: 'command',
    ...vendor,
  })
  await storage.catalogue.saveModel(
    {
      id: 'film',
      type: 'video',
      name: 'film',
      ownedBy: 'films',
      description: null,
      contextLength: null,
      maxOutputTokens: null,
      capabilities: {
        sizes: ['1280x720', '720x1280'],
        seconds: ['4', '8', '12'],
        vision: true,
      },
      traits: {},
      isFree: false,
      status: 'active',
      routes: [{ vendor: 'films', vendorModel: 'vendor-film', priority: 0, weight: 1 }],
    },
    [{ meter: 'video_second', unit: 'each', price: String(filmPrice) }],
  )
}
