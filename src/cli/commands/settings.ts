import type { Command } from 'commander'
import { systemClock } from '../../domain/clock'
import { resetSetting, setSetting, type SettingParts } from '../../admin/settings'
import { registry, settingKeyOf, settingKeys, type SettingKey } from '../../settings/registry'
import { remarkText } from '../../settings/remarks'
import { settingIn, type FixedSettings } from '../../settings/settings'
import type { SettingType } from '../../settings/types'
import type { Storage } from '../../storage/storage'
import { fixedFor } from './configured-service'
import { branch, leaf, withNewStorage, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printFields, printJson, printLine } from '../kit/output'
import { requester } from '../kit/operator'
import { namedFile } from '../kit/session'

export function settingsCommand(program: Command): void {
  const settings = branch(program, 'settings', 'Manage settings of the whole service')

  withCsv(leaf(settings, 'list', 'list every setting with its value', 'settings list')).action(list)

  leaf(settings, 'get', 'show one setting', 'settings get day-capacity')
    .argument('<name>', 'name of the setting')
    .action(async (name: string, options: CommonOptions) => {
      const key = settingKeyOf(name)
      const [view] = await viewsOf([key], options)
      tell(view, options)
    })

  leaf(settings, 'set', 'change a setting; in force on the next call', 'settings set streaming off')
    .argument('<name>', 'name of the setting')
    .argument('<value>', 'its new value; of brand-logo the path of a file')
    .action((name: string, value: string, options: CommonOptions) => {
      const key = settingKeyOf(name)
      const given = valueOf(key, value, name)
      return change(key, options, (parts) => setSetting(parts, key, given))
    })

  leaf(settings, 'reset', 'restore the default', 'settings reset day-capacity')
    .argument('<name>', 'name of the setting')
    .action((name: string, options: CommonOptions) => {
      const key = settingKeyOf(name)
      return change(key, options, (parts) => resetSetting(parts, key))
    })
}

/** Value as it is set: of a setting that is a file its content in base64. @throws RangeError naming the setting */
function valueOf(key: SettingKey, value: string, name: string): string {
  const type: SettingType = registry[key].type
  if (type.fromFile === undefined || value === 'none') return value
  try {
    return Buffer.from(namedFile(value)).toString('base64')
  } catch (thrown) {
    throw new RangeError(`${name} cannot read ${value}`, { cause: thrown })
  }
}

async function viewOf(key: SettingKey, { settings }: Storage, fixed: FixedSettings) {
  const { name, preset, variable, about } = registry[key]
  const type: SettingType = registry[key].type
  const { text, source } = settingIn(key, fixed, await settings.all())
  return {
    object: 'setting',
    name,
    value: type.plain(type.parse(text), systemClock.now()),
    default: type.plain(type.parse(preset), systemClock.now()),
    source,
    variable,
    must_be: type.written,
    about,
  } as const
}

/** Note on the kept value; null for none. */
async function remarkOn(key: SettingKey, { settings }: Storage): Promise<string | null> {
  const type: SettingType = registry[key].type
  const text = (await settings.all()).get(registry[key].name)
  const remark = text === undefined ? null : (type.remark?.(type.parse(text)) ?? null)
  return remark === null ? null : remarkText(remark)
}

type View = Awaited<ReturnType<typeof viewOf>>

const list = async (options: ListOptions): Promise<void> =>
  printList(options, await viewsOf(settingKeys, options), form)

const viewsOf = (keys: readonly SettingKey[], options: CommonOptions): Promise<readonly View[]> =>
  withStorage(options, async (storage) => {
    const fixed = await fixedFor(storage, options.data)
    return await Promise.all(keys.map((key) => viewOf(key, storage, fixed)))
  })

const form: ListForm<View> = {
  columns: ['name', 'value', 'default', 'source', 'variable', 'must_be', 'about'],
  heading: ['NAME', 'VALUE', 'FROM', 'WHAT IT MEANS'],
  cells: (view) => [view.name, shown(view.value), view.source, view.about],
}

const shown = (value: View['value']): string =>
  value === null ? 'none' : typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)

async function change(
  key: SettingKey,
  options: CommonOptions,
  work: (parts: SettingParts) => Promise<void>,
): Promise<void> {
  const view = await withNewStorage(options, async (storage) => {
    await work({ store: storage.settings, requester: requester(), now: systemClock.now() })
    const fixed = await fixedFor(storage, options.data)
    return { ...(await viewOf(key, storage, fixed)), remark: await remarkOn(key, storage) }
  })
  const { remark, ...told } = view
  tell(told, options)
  if (options.json) return
  if (remark !== null) printLine(remark)
  if (view.source !== 'environment') return
  printLine(
    `kept, but not in force: ${view.variable} says ${shown(view.value)}, and wins until the gateway is started without it`,
  )
}

function tell(view: View | undefined, options: CommonOptions): void {
  if (view === undefined) return
  if (options.json) return printJson(view)
  const { object: _, ...fields } = view
  printFields({ ...fields, value: shown(view.value), default: shown(view.default) })
}
