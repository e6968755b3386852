import { Type, type Static } from '@sinclair/typebox'
import { dayMs, type Ms } from '../../../domain/clock'
import { backupFiles } from '../../../storage/files/backups'
import { liveOperation } from '../../operations/operation'
import type { OperationParts } from '../../operations/parts'

const stepNames = [
  'vendor',
  'prices',
  'sms',
  'gateway',
  'rate',
  'brand',
  'customer',
  'backup',
  'address',
  'proxy',
] as const
type StepName = (typeof stepNames)[number]

const Step = Type.Object({
  name: Type.Union(stepNames.map((name) => Type.Literal(name))),
  done: Type.Boolean(),
  /** Names, a rate, an address or an instant, by the step; null where there is nothing to show. */
  detail: Type.Union([Type.String(), Type.Null()]),
})
type Looked = Omit<Static<typeof Step>, 'name'>

const found = (detail: string | null): Looked => ({ done: detail !== null, detail })
const names = (all: readonly string[]): Looked => found(all.length === 0 ? null : all.join(', '))

const backupLifeMs = 7 * dayMs

const looks: Readonly<Record<StepName, (parts: OperationParts) => Promise<Looked>>> = {
  vendor: async ({ service }) => names(service.onSale().vendors),
  prices: async ({ service }) => {
    const { ownModels } = service.onSale()
    return found(ownModels === 0 ? null : String(ownModels))
  },
  sms: async ({ storage }) =>
    names(
      (await storage.smsProviders.list())
        .filter(({ kind }) => kind !== 'log')
        .map(({ name }) => name),
    ),
  gateway: async ({ storage }) =>
    names((await storage.cardGateways.list()).map(({ name }) => name)),
  async rate({ storage, service }) {
    const now = await storage.payments.rate()
    const age = now === null ? 0 : service.clock.now() - now.validFrom
    const maxAge = service.settings.rateMaxAge
    return { done: now !== null && (maxAge === null || age <= maxAge), detail: now?.rate ?? null }
  },
  brand: async ({ service }) => found(service.settings.brandName),
  async customer({ storage, service }) {
    await service.flush()
    const any = { account: null, project: null, key: null, model: null, status: null, before: null }
    const from = 0 as Ms
    const to = (service.clock.now() + 1) as Ms
    const { calls } = await storage.operatorReader.allCalls({ ...any, from, to, max: 1 })
    return found(calls[0]?.model ?? null)
  },
  async backup({ storage: { folder }, service }) {
    const [newest] = folder === null ? [] : backupFiles(folder)
    if (newest === undefined) return { done: folder === null, detail: null }
    const isFresh = service.clock.now() - newest.made <= backupLifeMs
    return { done: isFresh, detail: new Date(newest.made).toISOString() }
  },
  async address({ service }) {
    const url = service.services[0]?.url ?? null
    return { done: url?.startsWith('https:') === true, detail: url }
  },
  async proxy({ service }) {
    const address = service.untrustedProxy()?.address ?? null
    return { done: address === null, detail: address }
  },
}

export const checklistOperations = [
  liveOperation({
    name: 'checklist.get',
    method: 'GET',
    path: '/checklist',
    role: 'viewer',
    about: 'Steps from a fresh installation to customers who pay, and which are done',
    result: Type.Object({ data: Type.Array(Step) }),
    run: async (parts) => ({
      data: await Promise.all(
        stepNames.map(async (name) => ({ name, ...(await looks[name](parts)) })),
      ),
    }),
  }),
] as const
