import type { VendorConfig } from '../../domain/model'
import type { VendorBalance } from '../../domain/vendor-state'
import { fieldsOf, listOf, type Fields } from '../json/fields'
import { isDialect, type DialectName } from './openai/dialects'
import { isOwnFormat, type OwnFormatKind } from './native-defaults'
import type { VendorRequest } from './vendor'

/** A free call to a vendor, and how its answer is read. */
export interface HealthCheck {
  readonly request: VendorRequest
  /** Whether a good answer is for good credentials alone. */
  readonly provesCredential: boolean
  readonly tellsBalance: boolean
  /**
   * Further calls that tell the balance, each made of the answer before it; null where there is no
   * way on. Keys that may not ask them serve all the same.
   */
  readonly further: readonly ((body: unknown) => VendorRequest | null)[]
  /** Balance of our account, by the last answer; null where the vendor tells none. */
  balanceIn(body: unknown): ReportedBalance | null
}

/** A balance, and whether the vendor serves nothing by it. */
export interface ReportedBalance {
  readonly balance: VendorBalance
  readonly isEmpty: boolean
}

/** Source of a vendor's balance. */
interface BalanceSource {
  /** Behind the address of the interface, or `/` of its host where that is said. */
  readonly path: string
  readonly fromRoot?: true
  read(body: Fields, config: VendorConfig): ReportedBalance | null
}

/**
 * Vendors that tell a balance to the key that pays with it. Others tell it to keys of administrators
 * alone, or in their console.
 */
const balances: Partial<Record<DialectName, BalanceSource>> = {
  /** @see https://api-docs.deepseek.com/api/get-user-balance, November 2026 */
  deepseek: {
    path: '/user/balance',
    fromRoot: true,
    read({ is_available: available, balance_infos: infos }) {
      const each = listOf(infos).map(fieldsOf)
      const { currency, total_balance: total } =
        each.find((info) => info['currency'] === 'USD') ?? each[0] ?? {}
      return reportedBalance(total, currency, available === false)
    },
  },
  /**
   * The limit that is left of the key itself; `/credits` wants a key of an administrator.
   * @see https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key, November 2026
   */
  openrouter: {
    path: '/key',
    read: ({ data }) => reportedBalance(fieldsOf(data)['limit_remaining'], 'USD'),
  },
  /** @see https://platform.moonshot.ai/docs/api/balance, November 2026: dollars; .cn: yuan */
  moonshot: {
    path: '/users/me/balance',
    read: ({ data }, { baseUrl }) =>
      reportedBalance(
        fieldsOf(data)['available_balance'],
        /\.cn(?:[:/]|$)/.test(baseUrl) ? 'CNY' : 'USD',
      ),
  },
}

/**
 * Vendors whose balance is told to keys that may read it, and to other calls than the one that shows
 * whether a key is good. Neither says that nothing is served: both sell beyond it on account.
 */
const furtherBalances: Partial<
  Record<OwnFormatKind, Pick<HealthCheck, 'further'> & { read(body: Fields): VendorBalance | null }>
> = {
  /** @see https://developers.deepgram.com/reference/manage/billing/list, November 2026 */
  deepgram: {
    further: [
      () => asking('/projects'),
      (body) => {
        const [project] = listOf(fieldsOf(body)['projects']).map(fieldsOf)
        const id = project?.['project_id']
        return typeof id === 'string' && /^[\w-]+$/.test(id)
          ? asking(`/projects/${id}/balances`)
          : null
      },
    ],
    read({ balances: listed }) {
      const amounts = listOf(listed)
        .map(fieldsOf)
        .filter(({ units }) => typeof units === 'string' && units.toUpperCase() === 'USD')
        .map(({ amount }) => amount)
        .filter((amount) => typeof amount === 'number')
      const sum = amounts.reduce((all, each) => all + each, 0)
      return amounts.length === 0 ? null : (reportedBalance(sum, 'USD')?.balance ?? null)
    },
  },
  /** @see https://elevenlabs.io/docs/api-reference/user/subscription/get, November 2026 */
  elevenlabs: {
    further: [() => asking('/user/subscription')],
    read({ character_count: used, character_limit: limit }) {
      if (!Number.isSafeInteger(used) || !Number.isSafeInteger(limit)) return null
      return { amount: String(Number(limit) - Number(used)), currency: 'characters' }
    },
  },
}

/** Vendors whose list of models is there for everybody: it says nothing of a key. */
const openLists: ReadonlySet<string> = new Set<DialectName>(['openrouter', 'deepinfra', 'nvidia'])

/** The free call that shows whether a vendor serves; null where there is none: the sandbox. */
export function healthCheckOf(config: VendorConfig): HealthCheck | null {
  const { kind, dialect } = config
  if (kind !== 'openai' && !isOwnFormat(kind)) return null
  const source = kind === 'openai' && isDialect(dialect) ? balances[dialect] : undefined
  if (source === undefined) {
    const own = isOwnFormat(kind) ? furtherBalances[kind] : undefined
    return {
      request: asking('/models'),
      provesCredential: !openLists.has(dialect),
      tellsBalance: own !== undefined,
      further: own?.further ?? [],
      balanceIn(body) {
        const balance = own?.read(fieldsOf(body)) ?? null
        return balance === null ? null : { balance, isEmpty: false }
      },
    }
  }
  const { path, fromRoot, read } = source
  return {
    request: fromRoot ? { ...asking(path), base: new URL(config.baseUrl).origin } : asking(path),
    provesCredential: true,
    tellsBalance: true,
    further: [],
    balanceIn: (body) => read(fieldsOf(body), config),
  }
}

const asking = (path: string): VendorRequest => ({
  method: 'GET',
  path,
  body: null,
  contentType: null,
})

/** @param isEmpty nothing is left, whatever the amount says */
function reportedBalance(
  amount: unknown,
  currency: unknown,
  isEmpty = false,
): ReportedBalance | null {
  const text = typeof amount === 'number' ? String(Math.round(amount * 1e6) / 1e6) : amount
  if (typeof text !== 'string' || !/^-?\d{1,12}(?:\.\d{1,18})?$/.test(text)) return null
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null
  return { balance: { amount: text, currency }, isEmpty: isEmpty || Number(text) <= 0 }
}
