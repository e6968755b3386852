import { Type, type Static } from '@sinclair/typebox'
import { showUsd } from '../../../domain/money'
import { secretPrefix } from '../../../gateway/identity/secret'
import type { Secret } from '../../../domain/secret'
import { registry, settingKeys } from '../../../gateway/settings/registry'
import { liveOperation } from '../../operations/operation'
import { mayReadPhones } from '../../accounts/access-rules'
import { vendorsOf } from '../../data/service-parts'
import { textForms } from '../../operations/refusals/text-forms'
import { cataloguePartsOf, type OperationParts } from '../../operations/parts'

const Hit = Type.Object({
  kind: Type.Union([
    Type.Literal('account'),
    Type.Literal('key'),
    Type.Literal('request'),
    Type.Literal('payment'),
    Type.Literal('model'),
    Type.Literal('vendor'),
    Type.Literal('setting'),
  ]),
  /** By which its own operations know it. */
  id: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  /** Whose it is; of what belongs to no account null. */
  account: Type.Union([Type.Integer(), Type.Null()]),
})
type SearchHit = Static<typeof Hit>

const maxOfKind = 5

/** The beginning of a key that was pasted whole: the rest of it is looked at by nobody. */
const typedText = (text: string): string => {
  const wanted = text.trim()
  return /^sk-\w+-v\d+-\w{7,}$/.test(wanted) ? secretPrefix(wanted as Secret) : wanted
}

async function accountsAndKeys(
  { storage, requester }: OperationParts,
  text: string,
): Promise<SearchHit[]> {
  const { operatorReader } = storage
  const byPhone = mayReadPhones(requester)
  const [accounts, keys] = await Promise.all([
    operatorReader.accounts({
      text,
      byPhone,
      status: null,
      group: null,
      before: null,
      max: maxOfKind,
    }),
    operatorReader.keysLike(text, maxOfKind),
  ])
  return [
    ...accounts.map(({ id, name, balance }) => ({
      kind: 'account' as const,
      id: String(id),
      title: name,
      detail: showUsd(balance),
      account: id,
    })),
    ...keys.map(({ id, name, prefix, account }) => ({
      kind: 'key' as const,
      id: String(id),
      title: name,
      detail: prefix,
      account,
    })),
  ]
}

/** Whose id was typed whole. */
async function byWholeId({ storage, service }: OperationParts, text: string): Promise<SearchHit[]> {
  if (/^pay_\w{8,}$/.test(text)) {
    const found = await storage.cardPayments.find(text as never)
    if (found === null) return []
    const { id, account, state, amount } = found
    return [{ kind: 'payment', id, title: id, detail: `${state} ${showUsd(amount)}`, account }]
  }
  if (!/^(?:req_|[\w-]{20,})/.test(text) || text.startsWith('sk-')) return []
  await service.flush()
  const call = await storage.reports.call(text, null)
  if (call === null) return []
  const { id, model, status, account } = call
  return [{ kind: 'request', id, title: model, detail: status, account }]
}

/** Of those on sale, and of those that the operator has and does not sell. */
async function modelsLike(
  { storage, service }: OperationParts,
  text: string,
): Promise<SearchHit[]> {
  const own = await storage.catalogue.models()
  const ids = new Set([...service.onSale().models, ...own.map(({ id }) => id)])
  return [...ids]
    .filter((id) => id.toLowerCase().includes(text))
    .toSorted()
    .slice(0, maxOfKind)
    .map((id) => ({ kind: 'model', id, title: id, detail: '', account: null }))
}

const vendorsLike = async (parts: OperationParts, text: string): Promise<SearchHit[]> =>
  (await vendorsOf(await cataloguePartsOf(parts)))
    .filter(({ name }) => name.toLowerCase().includes(text))
    .slice(0, maxOfKind)
    .map(({ name, kind }) => ({
      kind: 'vendor',
      id: name,
      title: name,
      detail: kind,
      account: null,
    }))

const settingsLike = (text: string): SearchHit[] =>
  settingKeys
    .map((key) => registry[key])
    .filter(({ name, about }) => name.includes(text) || about.toLowerCase().includes(text))
    .toSorted((a, b) => Number(b.name.includes(text)) - Number(a.name.includes(text)))
    .slice(0, maxOfKind)
    .map(({ name, about }) => ({
      kind: 'setting',
      id: name,
      title: name,
      detail: about,
      account: null,
    }))

export const searchOperations = [
  liveOperation({
    name: 'search.find',
    method: 'GET',
    path: '/search',
    role: 'viewer',
    about:
      'Accounts, keys, requests, payments, vendors, models and settings by what is typed, a few of each',
    query: { text: Type.String({ minLength: 1, maxLength: 200, pattern: textForms.not_blank }) },
    result: Type.Object({ data: Type.Array(Hit) }),
    async run(parts, { query }) {
      const text = typedText(query.text)
      const small = text.toLowerCase()
      const [named, whole, vendors, models] = await Promise.all([
        accountsAndKeys(parts, text),
        byWholeId(parts, text),
        vendorsLike(parts, small),
        modelsLike(parts, small),
      ])
      return { data: [...whole, ...named, ...vendors, ...models, ...settingsLike(small)] }
    },
  }),
] as const
