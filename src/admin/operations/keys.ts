import { Type, type Static } from '@sinclair/typebox'
import type { ListedKey } from '../../domain/account-reader'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import type { KeyId, ProjectId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import type { KeySummary } from '../../identity/directory'
import { AdminError } from '../admin-error'
import { ownerCaps } from '../caps'
import { createKey, keyIn, revokeKey, setKey, switchKey, type KeyLimits } from '../keys'
import { accountIn } from '../accounts'
import { CapView, capView } from './caps'
import {
  beforeId,
  Id,
  Instant,
  instantOf,
  Listed,
  max,
  Name,
  orNull,
  page,
  pageOf,
  partial,
  sent,
  Usd,
  usdOf,
} from './fields'
import { operation } from './operation'
import type { OperationParts } from './parts'
import { projectIn } from '../projects'

const state = Type.Union([
  Type.Literal('active'),
  Type.Literal('disabled'),
  Type.Literal('revoked'),
])

const limits = {
  /** Null for the account’s ceiling. */
  rpm_limit: orNull(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  spend_limit_usd: orNull(Usd),
  allowed_models: Listed,
  allowed_addresses: Listed,
  /** Null for never. */
  expires_at: orNull(Instant),
}

const listed = {
  id: Id,
  project: Id,
  name: Type.String(),
  prefix: Type.String(),
  state,
  rpm_limit: orNull(Type.Integer()),
  spend_limit_usd: orNull(Type.String()),
  allowed_models: orNull(Type.Array(Type.String())),
  allowed_addresses: orNull(Type.Array(Type.String())),
  expires_at: orNull(Type.String()),
  created: Type.String(),
  /** The person who made it in the web app; null where an operator did. */
  made_by: orNull(Id),
}
const ListedKeyView = Type.Object({
  ...listed,
  /** The last UTC day of a call; null where there was none. */
  last_used: orNull(Type.String()),
})
const KeyView = Type.Object({ ...listed, account: Id, spent_usd: Type.String() })

const listedView = (key: ListedKey) => ({
  id: key.id as number,
  project: key.project as number,
  name: key.name,
  prefix: key.prefix,
  state: key.state,
  rpm_limit: key.requestsPerMinute,
  spend_limit_usd: key.spendLimit === null ? null : showUsd(key.spendLimit),
  allowed_models: key.allowedModels === null ? null : [...key.allowedModels],
  allowed_addresses: key.allowedAddresses === null ? null : [...key.allowedAddresses],
  expires_at: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
  created: new Date(key.created).toISOString(),
  made_by: key.madeBy as number | null,
})

const keyView = (key: KeySummary): Static<typeof KeyView> => ({
  ...listedView(key),
  account: key.account,
  spent_usd: showUsd(key.spent),
})

const keyParts = ({ storage, service }: OperationParts) => ({
  directory: storage.directory,
  clock: service.clock,
})

const setFields = partial({ name: Name, ...limits })

const limitsOf = (body: Static<ReturnType<typeof Type.Object<typeof setFields>>>): KeyLimits =>
  sent({
    name: body.name?.trim(),
    requestsPerMinute: body.rpm_limit,
    spendLimit:
      typeof body.spend_limit_usd === 'string' ? usdOf(body.spend_limit_usd) : body.spend_limit_usd,
    allowedModels: body.allowed_models,
    allowedAddresses: body.allowed_addresses,
    expiresAt:
      typeof body.expires_at === 'string'
        ? instantOf(body.expires_at, 'expires_at')
        : body.expires_at,
  })

const reads = [
  operation({
    name: 'key.list',
    method: 'GET',
    path: '/accounts/{id}/keys',
    role: 'viewer',
    about: 'Keys of an account without their secrets, newest first',
    params: { id: Id },
    query: {
      project: Type.Optional(Id),
      /** Revoked keys, instead of all others. */
      revoked: Type.Optional(Type.Boolean()),
      before: beforeId,
      max,
    },
    result: pageOf(ListedKeyView, Id),
    async run(parts, { params, query }) {
      const { id: account } = await accountIn(parts, params.id)
      const { project = null, revoked = false, before = null, max } = query
      const { accountReader } = parts.storage
      const found = await accountReader.keys({
        account,
        project: project as ProjectId | null,
        before: before as KeyId | null,
        revoked,
        max: max + 1,
      })
      await parts.service.flush()
      const days = await accountReader.lastDays(found)
      const views = found.map((key) => {
        const day = days.get(key.id)
        const last_used = day === undefined ? null : dayOf((day * dayMs) as Ms)
        return { ...listedView(key), last_used }
      })
      return page(views, max, ({ id }) => id)
    },
  }),
  operation({
    name: 'key.get',
    method: 'GET',
    path: '/keys/{id}',
    role: 'viewer',
    about: 'One key without its secret, and what is spent of its caps',
    params: { id: Id },
    result: Type.Composite([KeyView, Type.Object({ caps: Type.Array(CapView) })]),
    async run(parts, { params }) {
      const { storage, service } = parts
      await service.flush()
      const key = await keyIn(parts.storage.directory, params.id)
      const [account, project] = await Promise.all([
        accountIn(parts, key.account),
        projectIn(parts, key.project),
      ])
      const owner = { account, project, key }
      const caps = await ownerCaps(storage.spending, owner, service.settings, service.clock.now())
      return { ...keyView(key), caps: caps.map(capView) }
    },
  }),
] as const

const writes = [
  operation({
    name: 'key.create',
    method: 'POST',
    path: '/projects/{id}/keys',
    role: 'staff',
    about:
      'Make a key; its secret is told this once. That of staff has a spend limit, which counts as given',
    params: { id: Id },
    body: {
      ...setFields,
      name: Name,
      /** The service’s name or its sister’s: the brand of the key. */
      service: Type.Optional(Type.String({ maxLength: 20 })),
    },
    result: Type.Composite([
      KeyView,
      Type.Object({ secret: Type.String(), base_url: orNull(Type.String()) }),
    ]),
    async run(parts, { params, body }) {
      const { id: project, account } = await projectIn(parts, params.id)
      const { services } = parts.service
      const [own] = services
      const brand =
        body.service === undefined ? own : services.find(({ name }) => name === body.service)
      if (brand === undefined)
        throw new AdminError('input_invalid', {
          field: 'service',
          rule: services.map(({ name }) => name).join(', '),
        })
      const secrets = { prefix: brand.keyPrefix, pepper: parts.storage.pepper }
      const wanted = { ...limitsOf(body), project, name: body.name.trim() }
      const { key, secret } = await createKey({ ...keyParts(parts), ...secrets }, account, wanted)
      const base_url = brand.url === null ? null : `${brand.url}/v1`
      return { ...keyView(key), secret, base_url }
    },
  }),
  operation({
    name: 'key.set',
    method: 'PATCH',
    path: '/keys/{id}',
    role: 'staff',
    about:
      'Change name or limits of a key; staff counts what one that an operator made may spend more',
    params: { id: Id },
    body: setFields,
    result: KeyView,
    async run(parts, { params, body }) {
      const key = await keyIn(parts.storage.directory, params.id)
      return keyView(await setKey(keyParts(parts), key, limitsOf(body)))
    },
  }),
  operation({
    name: 'key.switch',
    method: 'PUT',
    path: '/keys/{id}/on',
    role: 'staff',
    about: 'Switch a key off, or on again',
    params: { id: Id },
    body: { on: Type.Boolean() },
    result: KeyView,
    async run(parts, { params, body }) {
      const key = await keyIn(parts.storage.directory, params.id)
      return keyView(await switchKey(keyParts(parts), key, body.on))
    },
  }),
  operation({
    name: 'key.revoke',
    method: 'DELETE',
    path: '/keys/{id}',
    role: 'staff',
    about: 'Revoke a key for good',
    params: { id: Id },
    result: KeyView,
    async run(parts, { params }) {
      const { id } = await keyIn(parts.storage.directory, params.id)
      return keyView(await revokeKey(keyParts(parts), id))
    },
  }),
] as const

export const keyOperations = [...reads, ...writes] as const
