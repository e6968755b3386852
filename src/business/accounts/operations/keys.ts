import { Type } from '@sinclair/typebox'
import { dayMs, dayOf, type Ms } from '../../../domain/clock'
import type { KeyId, ProjectId } from '../../../domain/ids'
import { keyFields } from '../../../domain/fields/key-fields'
import { AdminError } from '../../operations/admin-error'
import { ownerCaps } from '../caps'
import { createKey, keyMeant, revokeKey, setKey, switchKey, type KeyLimits } from '../keys'
import { accountIn } from '../find-account'
import { capView } from './caps'
import { beforeId, Id, max, Name, page, pageOf } from '../../operations/fields'
import { asOption, changeBy, settable } from '../../operations/from-fields'
import { keyCommands } from './key-commands'
import {
  KeyView,
  KeyWithCaps,
  keyView,
  listedKeyView,
  ListedKeyView,
  MadeKeyView,
} from './key-view'
import { operation } from '../../operations/operation'
import type { KeptParts } from '../../operations/parts'
import { projectIn } from '../projects'

/** A key by its number, or by its beginning as lists show it. */
const Which = Type.Union([Id, Type.String({ minLength: 1, maxLength: 200 })])

const keyParts = ({ storage, service }: KeptParts) => ({
  directory: storage.directory,
  clock: service.clock,
})

const setFields = settable(keyFields)
const limitsOf = (body: object): KeyLimits => changeBy(keyFields, body)

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
        return { ...listedKeyView(key), last_used }
      })
      return page(views, max, ({ id }) => id)
    },
  }),
  operation({
    name: 'key.all',
    method: 'GET',
    path: '/keys',
    role: 'viewer',
    about: 'Keys of all accounts without their secrets, revoked ones too, by number',
    query: {
      project: asOption(Type.Optional(Id), 'only of this project'),
      after: Type.Optional(Id),
      max,
    },
    result: pageOf(KeyView, Id),
    commands: [keyCommands.list],
    async run({ storage }, { query: { project, after, max } }) {
      const found = await storage.directory.listKeys(project as ProjectId | undefined, {
        after: (after ?? 0) as KeyId,
        max: max + 1,
      })
      return page(found.map(keyView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'key.get',
    method: 'GET',
    path: '/keys/{id}',
    role: 'viewer',
    about: 'One key without its secret, and what is spent of its caps',
    params: { id: Which },
    commands: [keyCommands.show],
    result: KeyWithCaps,
    async run(parts, { params }) {
      const { storage, service } = parts
      await service.flush()
      const key = await keyMeant(parts.storage, params.id)
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
      name: asOption(Name, 'name, for people', { kind: 'name' }),
      service: asOption(
        Type.Optional(Type.String({ maxLength: 20 })),
        'brand of the key: ours or the sister service’s (default: ours)',
        { option: 'service <name>' },
      ),
    },
    commands: [keyCommands.create],
    result: MadeKeyView,
    async run(parts, { params, body }) {
      const { id: project, account } = await projectIn(parts, params.id)
      const { services } = parts.service
      const [own] = services
      const brand =
        body.service === undefined ? own : services.find(({ name }) => name === body.service)
      if (brand === undefined)
        throw new AdminError('input_invalid', {
          field: 'service',
          rule: 'not_one_of',
          choices: services.map(({ name }) => name),
        })
      const secrets = { prefix: brand.keyPrefix, pepper: parts.storage.pepper }
      const wanted = { ...limitsOf(body), project, name: body.name.trim() }
      const { key, secret } = await createKey({ ...keyParts(parts), ...secrets }, account, wanted)
      const base_url = brand.url === null ? null : `${brand.url}/v1`
      return { ...keyView(key), secret, service: brand.name, base_url }
    },
  }),
  operation({
    name: 'key.set',
    method: 'PATCH',
    path: '/keys/{id}',
    role: 'staff',
    about:
      'Change name or limits of a key; staff counts what one that an operator made may spend more',
    params: { id: Which },
    body: setFields,
    commands: [keyCommands.set],
    result: KeyView,
    async run(parts, { params, body }) {
      const key = await keyMeant(parts.storage, params.id)
      return keyView(await setKey(keyParts(parts), key, limitsOf(body)))
    },
  }),
  operation({
    name: 'key.switch',
    method: 'PUT',
    path: '/keys/{id}/on',
    role: 'staff',
    about: 'Switch a key off, or on again',
    params: { id: Which },
    body: { on: Type.Boolean() },
    commands: keyCommands.switches,
    result: KeyView,
    async run(parts, { params, body }) {
      const key = await keyMeant(parts.storage, params.id)
      return keyView(await switchKey(keyParts(parts), key, body.on))
    },
  }),
  operation({
    name: 'key.revoke',
    method: 'DELETE',
    path: '/keys/{id}',
    role: 'staff',
    about: 'Revoke a key for good',
    params: { id: Which },
    commands: [keyCommands.revoke],
    result: KeyView,
    async run(parts, { params }) {
      const { id } = await keyMeant(parts.storage, params.id)
      return keyView(await revokeKey(keyParts(parts), id))
    },
  }),
] as const

export const keyOperations = [...reads, ...writes] as const
