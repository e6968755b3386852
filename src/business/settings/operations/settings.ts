import { Type, type Static } from '@sinclair/typebox'
import { registry, settingKeys, type SettingKey } from '../../../gateway/settings/registry'
import { remarkCodes, remarkText } from '../../../gateway/settings/remarks'
import { settingIn } from '../settings'
import type { SettingType } from '../../../gateway/settings/types'
import { resetSetting, setSetting, settingNamed } from '../rules'
import type { CommandForm } from '../../operations/command'
import { orNull } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import type { KeptParts } from '../../operations/parts'

const value = Type.Union([Type.Boolean(), Type.Number(), Type.String(), Type.Null()])

const SettingView = Type.Object({
  name: Type.String(),
  value,
  /** As `setting.set` takes it. */
  text: Type.String(),
  default: value,
  source: Type.Union([
    Type.Literal('environment'),
    Type.Literal('command'),
    Type.Literal('default'),
  ]),
  /** The environment of the process says it: what is set here holds once that is gone. */
  locked: Type.Boolean(),
  variable: orNull(Type.String()),
  must_be: Type.String(),
  about: Type.String(),
  /** Whether it is what a file holds. */
  is_file: Type.Boolean(),
  /** What should be known of the value that is kept. */
  remark: orNull(Type.String()),
  /** Code of the remark, with the facts it is filled in with. */
  remark_code: orNull(Type.Union(remarkCodes.map((code) => Type.Literal(code)))),
  remark_facts: Type.Record(Type.String(), Type.String()),
})

async function viewOf(
  { storage, service }: KeptParts,
  key: SettingKey,
): Promise<Static<typeof SettingView>> {
  const { name, preset, variable, about } = registry[key]
  const type: SettingType = registry[key].type
  const kept = await storage.settings.all()
  const { text, source } = settingIn(key, service.fixed, kept)
  const now = service.clock.now()
  const isFile = type.fromFile !== undefined
  const remark = kept.has(name)
    ? (type.remark?.(type.parse(kept.get(name) ?? preset)) ?? null)
    : null
  return {
    name,
    value: type.plain(type.parse(text), now),
    text: isFile && text !== 'none' ? 'file' : text,
    default: type.plain(type.parse(preset), now),
    source,
    locked: source === 'environment',
    variable,
    must_be: type.written,
    about,
    is_file: isFile,
    remark: remark === null ? null : remarkText(remark),
    remark_code: remark?.code ?? null,
    remark_facts: { ...remark?.facts },
  }
}

const partsOf = ({ storage, service, requester }: KeptParts) => ({
  store: storage.settings,
  now: service.clock.now(),
  requester,
})

type Viewed = Static<typeof SettingView>

const which = { name: 'name', about: 'name of the setting', as: 'place', kind: 'text' } as const

const shown = (kept: Viewed['value']): string =>
  kept === null ? 'none' : typeof kept === 'boolean' ? (kept ? 'on' : 'off') : String(kept)

const fieldsOf = (view: Viewed) => {
  const { name, source, variable, must_be, about } = view
  return {
    name,
    value: shown(view.value),
    default: shown(view.default),
    source,
    variable,
    must_be,
    about,
  }
}

const changed = (view: Viewed) => ({
  fields: fieldsOf(view),
  stdout: [
    ...(view.remark === null ? [] : [view.remark]),
    ...(view.locked
      ? [
          `kept, but not in force: ${view.variable} says ${shown(view.value)}, and wins until the gateway is started without it`,
        ]
      : []),
  ],
})

/** Whether a setting of this name is what a file holds. */
const isOfFile = (name: string): boolean => {
  const type: SettingType = registry[settingNamed(name)].type
  return type.fromFile !== undefined
}

type OneSetting = CommandForm<Viewed>

const list: CommandForm<{ readonly data: readonly Viewed[] }> = {
  words: 'settings list',
  about: 'list every setting with its value',
  example: 'settings list',
  object: 'setting',
  list: {
    pages: null,
    columns: ['name', 'value', 'default', 'source', 'variable', 'must_be', 'about'],
    heading: ['NAME', 'VALUE', 'FROM', 'WHAT IT MEANS'],
    cells: (view) => [view.name, shown(view.value), view.source, view.about],
  },
}

const get: OneSetting = {
  words: 'settings get',
  about: 'show one setting',
  example: 'settings get day-capacity',
  params: { name: which },
  object: 'setting',
  said: (view) => ({ fields: fieldsOf(view), stdout: [] }),
}

const set: OneSetting = {
  words: 'settings set',
  about: 'change a setting; in force on the next call',
  example: 'settings set streaming off',
  params: { name: which },
  places: { value: '<value>' },
  object: 'setting',
  makesFolder: true,
  fileIn: ({ name = '' }, body) => (isOfFile(name) && body['value'] !== 'none' ? 'value' : null),
  said: changed,
}

const reset: OneSetting = {
  words: 'settings reset',
  about: 'restore the default',
  example: 'settings reset day-capacity',
  params: { name: which },
  object: 'setting',
  makesFolder: true,
  said: changed,
}

const SettingName = Type.String({ minLength: 1, maxLength: 60 })
/** Of a picture, in base64. */
const maxFileText = 100_000

export const settingOperations = [
  operation({
    name: 'setting.list',
    method: 'GET',
    path: '/settings',
    role: 'viewer',
    about: 'Every setting of the service: value, meaning, default, and where it comes from',
    result: Type.Object({ data: Type.Array(SettingView) }),
    commands: [list],
    run: async (parts) => ({
      data: await Promise.all(settingKeys.map((key) => viewOf(parts, key))),
    }),
  }),
  operation({
    name: 'setting.get',
    method: 'GET',
    path: '/settings/{name}',
    role: 'viewer',
    about: 'One setting of the service',
    params: { name: SettingName },
    result: SettingView,
    commands: [get],
    run: async (parts, { params }) => await viewOf(parts, settingNamed(params.name)),
  }),
  operation({
    name: 'setting.set',
    method: 'PUT',
    path: '/settings/{name}',
    role: 'owner',
    about: 'Change a setting; in force on the next call',
    params: { name: SettingName },
    body: {
      value: asOption(
        Type.String({
          maxLength: maxFileText,
          description: 'as a command would write it; of a file its content in base64, or none',
        }),
        'its new value; of brand-logo the path of a file',
      ),
    },
    maxBodyKb: 128,
    result: SettingView,
    commands: [set],
    async run(parts, { params, body }) {
      const key = settingNamed(params.name)
      await setSetting(partsOf(parts), key, body.value)
      return await viewOf(parts, key)
    },
  }),
  operation({
    name: 'setting.reset',
    method: 'DELETE',
    path: '/settings/{name}',
    role: 'owner',
    about: 'Restore the default of a setting',
    params: { name: SettingName },
    result: SettingView,
    commands: [reset],
    async run(parts, { params }) {
      const key = settingNamed(params.name)
      await resetSetting(partsOf(parts), key)
      return await viewOf(parts, key)
    },
  }),
] as const
