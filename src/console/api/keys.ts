import { Type, type Static } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { Name, page } from '../../business/operations/fields'
import { settable } from '../../business/operations/from-fields'
import {
  createKey,
  revokeKey,
  setKey,
  switchKey,
  type KeyLimits,
} from '../../business/accounts/keys'
import type { ListedKey } from '../../domain/reports/account-reader'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { changeIn, wired } from '../../domain/fields/field'
import type { KeyId, PersonId, ProjectId } from '../../domain/ids'
import { keyFields } from '../../domain/fields/key-fields'
import { showUsd } from '../../domain/money'
import { mayChangeKey } from '../../business/users/members'
import { maskPhone } from '../../domain/phone'
import { cheapestModel } from '../models/cheapest-model'
import type { Customer } from '../customer'
import { Refusal } from '../refusal'
import { IdParams, max, OptionalId } from './fields'
import type { ConsoleParts } from './parts'

const limits = {
  ...settable(keyFields),
  /** Milliseconds since 1970; null for never. */
  expires_at: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
}
const NewKey = Type.Object({ project: Type.Integer({ minimum: 1 }), ...limits, name: Name })
const Change = Type.Object(limits)
const Switch = Type.Object({ on: Type.Boolean() })
/** Whoever ends a key for good has typed its name. */
const Revoking = Type.Object({ name: Type.String({ maxLength: 60 }) })
const Listing = t.Object({
  project: OptionalId,
  before: OptionalId,
  revoked: t.Optional(t.BooleanString()),
  max,
})

/** `/app/api/keys`: those of the account; a secret is told once, when it is made. */
export const keysApi = (parts: ConsoleParts) => {
  const { customer, own, reader } = parts
  const keyParts = (who: Customer) => ({ directory: parts.directory(who), clock: parts.clock })
  const changed = async (who: Customer, key: ListedKey) => {
    parts.changed()
    return await viewOf(who, key)
  }
  const viewsOf = async (who: Customer, keys: readonly ListedKey[]) => {
    await parts.ledger.flush()
    const days = await reader.lastDays(
      keys.map(({ id, project, created }) => ({ id, project, created })),
    )
    return await Promise.all(keys.map((key) => keyView(parts, who, key, days.get(key.id) ?? null)))
  }
  const viewOf = async (who: Customer, key: ListedKey) => {
    const [view] = await viewsOf(who, [key])
    if (view === undefined) throw new Error('no view of a key')
    return view
  }
  return new Elysia({ prefix: '/keys', normalize: false })
    .get(
      '/',
      async ({ request, query }) => {
        const who = await customer(request)
        const { account } = who
        const { project = null, before = null, revoked = false, max } = query
        const found = await reader.keys({
          account,
          project: project as ProjectId | null,
          before: before as KeyId | null,
          revoked,
          max: max + 1,
        })
        const { data, next } = page(found, max, ({ id }) => id)
        return { data: await viewsOf(who, data), next }
      },
      { query: Listing },
    )
    .post(
      '/',
      async ({ request, body }) => {
        const who = await customer(request)
        const { id: project } = await own.project(who, body.project as ProjectId)
        const { key, secret } = await createKey(
          { ...keyParts(who), ...parts.secrets },
          who.account,
          {
            ...limitsOf(body),
            project,
            name: body.name.trim(),
            madeBy: who.person,
          },
        )
        return { ...(await changed(who, key)), secret }
      },
      { body: NewKey },
    )
    .get(
      '/:id',
      async ({ request, params }) => {
        const who = await customer(request)
        return await viewOf(who, await own.key(who, params.id as KeyId))
      },
      { params: IdParams },
    )
    .get(
      '/:id/trial',
      async ({ request, params }) => {
        const who = await customer(request)
        const key = await own.key(who, params.id as KeyId)
        const model = cheapestModel(parts.onSale(), key, await own.project(who, key.project))
        return { model: model?.id ?? null, sandbox: model?.isSandbox ?? false }
      },
      { params: IdParams },
    )
    .patch(
      '/:id',
      async ({ request, params, body }) => {
        const who = await customer(request)
        const key = await own.changeableKey(who, params.id as KeyId)
        return await changed(who, await setKey(keyParts(who), key, limitsOf(body)))
      },
      { params: IdParams, body: Change },
    )
    .post(
      '/:id/switch',
      async ({ request, params, body }) => {
        const who = await customer(request)
        const key = await own.changeableKey(who, params.id as KeyId)
        return await changed(who, await switchKey(keyParts(who), key, body.on))
      },
      { params: IdParams, body: Switch },
    )
    .post(
      '/:id/revoke',
      async ({ request, params, body }) => {
        const who = await customer(request)
        const key = await own.changeableKey(who, params.id as KeyId)
        if (body.name.trim() !== key.name) throw new Refusal(400, 'name_differs')
        return await changed(who, await revokeKey(keyParts(who), key.id))
      },
      { params: IdParams, body: Revoking },
    )
}

const limitsOf = (body: Static<typeof Change>): KeyLimits => changeIn(keyFields, body)

async function keyView(
  parts: ConsoleParts,
  who: Customer,
  key: ListedKey,
  lastUsed: number | null,
) {
  return {
    id: key.id as number,
    ...wired(keyFields, key),
    prefix: key.prefix,
    project: key.project as number,
    state: key.state,
    expired: key.expiresAt !== null && key.expiresAt <= parts.clock.now(),
    spent_usd: showUsd(await parts.ledger.spentByKey(key.id)),
    expires_at: key.expiresAt as number | null,
    created: key.created as number,
    /** The day of its last call, by the service's zone. */
    last_used: lastUsed === null ? null : dayOf((lastUsed * dayMs) as Ms),
    /** Null where a command made it. */
    made_by: await makerView(parts, who, key.madeBy),
    may_change: mayChangeKey(who, key.madeBy),
  }
}

async function makerView({ people }: ConsoleParts, who: Customer, madeBy: PersonId | null) {
  if (madeBy === null) return null
  const phone = (await people.find(madeBy))?.phone ?? null
  return {
    person: madeBy as number,
    is_you: madeBy === who.person,
    phone: phone === null ? null : maskPhone(phone),
  }
}
