import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Ms } from '../../src/domain/clock'
import { systemClock } from '../../src/domain/clock'
import { firstRequestIdAt, type RequestId } from '../../src/domain/ids'
import type { PriceLine } from '../../src/domain/model'
import { nanoUsd } from '../../src/domain/money'
import type { CallEnding } from '../../src/domain/record'
import { compileCard } from '../../src/gateway/metering/price-card'
import { vendorPrice } from '../../src/gateway/metering/price'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../src/business/data/storage'
import { ending, customer, opening } from '../storage/folder'
import type { Terminal } from '../cli/terminal'

/** Dollars for a million tokens. */
const card = (input: string, cached: string, output: string): readonly PriceLine[] => [
  { meter: 'input', price: input, unit: 'million' },
  { meter: 'cached_input', price: cached, unit: 'million' },
  { meter: 'output', price: output, unit: 'million' },
]

/** What the vendors of these books bill, by the vendor's name of the model. */
const cards: Readonly<Record<string, readonly PriceLine[]>> = {
  'gpt-4o': card('2.5', '1.25', '10'),
  'gpt-4o-mini': card('0.15', '0.075', '0.6'),
  'claude-sonnet-4-5': card('3', '0.3', '15'),
  'gemini-2.5-flash': card('0.3', '0.03', '2.5'),
  'openai/gpt-4o': card('2.5', '1.25', '10'),
  'acme-large': card('1', '0.5', '4'),
}

export interface Sold {
  /** When it began, such as `2026-10-03T12:00`. */
  readonly at: string
  /** The vendor's name of the model. */
  readonly model: string
  readonly input?: number
  readonly cached?: number
  readonly output?: number
  /** How many such calls. */
  readonly calls?: number
  /** Cut, failed, or counted by us: as the call ended. */
  readonly ended?: Partial<CallEnding>
  /** Nobody knows what it costs. */
  readonly uncosted?: true
  /** Nobody answered it, and nobody bills it as far as we know. */
  readonly unanswered?: true
}

/** What `bill check --json` tells. */
export interface Checked {
  readonly within_tolerance: boolean
  readonly total: {
    readonly usd: string
    readonly billed_usd: string
    readonly difference_percent: string
  }
  readonly models: readonly {
    readonly model: string
    readonly difference_usd: string
    readonly beyond_tolerance: boolean
  }[]
  readonly days: readonly {
    readonly day: string
    readonly model: string
    readonly beyond_tolerance: boolean
  }[]
  readonly findings: readonly {
    readonly kind: string
    readonly model: string | null
    readonly days: readonly string[]
    readonly usd: string | null
    readonly calls: number | null
    readonly units: Readonly<Record<string, number>>
    readonly prices: readonly object[]
    readonly requests: readonly { readonly id: string }[]
    readonly message: string
  }[]
  readonly notes: readonly string[]
}

export interface Books {
  /** Ids of the calls, in their order. */
  sell(...sold: readonly Sold[]): Promise<readonly RequestId[]>
  /** A file beside the data folder. @returns its path */
  file(name: string, text: string | Uint8Array): string
  readonly storage: Storage
  close(): Promise<void>
}

/** Records of calls that one vendor answered, in the folder of a terminal. */
export async function openBooks(
  terminal: Pick<Terminal, 'data'>,
  vendor: {
    readonly name: string
    readonly kind: string
    readonly dialect: string
    readonly baseUrl?: string
  },
): Promise<Books> {
  const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
  const { name } = vendor
  await storage.catalogue.saveVendor({
    baseUrl: 'http://127.0.0.1:9/v1',
    credential: 'sk-of-the-gateway',
    timeoutMs: 1000,
    transport: 'own',
    active: true,
    source: 'command',
    ...vendor,
  })
  await storage.prices.change(() => ({
    costs: Object.entries(cards).map(([vendorModel, lines]) => ({
      vendor: name,
      vendorModel,
      source: 'test',
      lines,
    })),
  }))
  const numbers = new Map(
    [...(await storage.prices.state()).costs.values()].map((each) => [each.vendorModel, each.id]),
  )
  const caller = await customer(storage, { usd: '1000' })
  let last = 0
  const sellOne = async (sold: Sold): Promise<RequestId> => {
    const { at, model, input = 0, cached = 0, output = 0, ended = {} } = sold
    const created = Date.parse(`${at}Z`) as Ms
    const units = { input, cached_input: cached, output }
    const lines = cards[model] ?? []
    const cost = vendorPrice(units, compileCard({ version: '1', validFrom: created, lines }))
    const vendorCost = {
      amount: cost?.amount ?? nanoUsd(0),
      card: numbers.get(model) ?? null,
      vendor: name,
      estimated: ended.status !== undefined,
    }
    const id = `${firstRequestIdAt(created)}${String(++last).padStart(20, '0')}` as RequestId
    const open = {
      ...opening(caller, created, id),
      model: model.includes('/') ? model : idOf(vendor, model),
    }
    const whole = ending(nanoUsd(0), {
      status: 'success',
      usage: { units, reasoning: 0, estimated: false },
      vendor: sold.unanswered ? null : name,
      vendorModel: sold.unanswered ? null : model,
      ...(sold.uncosted || sold.unanswered ? {} : { vendorCost }),
      ...ended,
    })
    const one = { opening: open, ending: whole, held: nanoUsd(0), wasOpened: false }
    await storage.ledger.commit({ opened: [], ended: [one], spent: [] }, false)
    return id
  }
  return {
    storage,
    async sell(...all) {
      const ids: RequestId[] = []
      for (const sold of all)
        for (let call = 0; call < (sold.calls ?? 1); call++) ids.push(await sellOne(sold))
      return ids
    },
    file(file, text) {
      const path = join(dirname(terminal.data), file)
      writeFileSync(path, text)
      return path
    },
    close: () => storage.close(),
  }
}

/** Our id of a model. */
const idOf = ({ dialect }: { readonly dialect: string }, model: string): string =>
  dialect === 'plain' ? `acme/${model}` : model
