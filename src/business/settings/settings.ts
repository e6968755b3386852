import { openInLine } from '../../domain/serial-queue'
import {
  registry,
  settingKeys,
  type SettingKey,
  type Settings,
} from '../../gateway/settings/registry'
import type { SettingType } from '../../gateway/settings/types'

/** Store of settings that a command changed, by name and as text. */
export interface SettingsStore {
  all(): Promise<ReadonlyMap<string, string>>
  /** One of them; null where it is not set. */
  get(name: string): Promise<string | null>
  set(name: string, text: string): Promise<void>
  /** Back to the default. */
  unset(name: string): Promise<void>
}

/** Settings that the environment fixes for as long as the process lives, as checked text. */
export type FixedSettings = Readonly<Partial<Record<SettingKey, string>>>

/** Source of a setting's value. */
type SettingSource = 'environment' | 'command' | 'default'

/** A setting's text, and whose it is: the environment wins over a command, and that over the default. */
export function settingIn(
  key: SettingKey,
  fixed: FixedSettings,
  stored: ReadonlyMap<string, string>,
): { readonly text: string; readonly source: SettingSource } {
  const byEnvironment = fixed[key]
  if (byEnvironment !== undefined) return { text: byEnvironment, source: 'environment' }
  const byCommand = stored.get(registry[key].name)
  if (byCommand !== undefined) return { text: byCommand, source: 'command' }
  return { text: registry[key].preset, source: 'default' }
}

/** The settings in force. */
interface LiveSettings {
  /** Always the same object, whose members change: to be read when they are needed, never copied. */
  readonly values: Settings
  /** Takes in what commands have changed. */
  reload(): Promise<void>
}

/**
 * Opens the settings.
 * @param onFault told of a kept value that cannot be read; the one before it stays in force
 */
export async function openSettings(parts: {
  readonly store: SettingsStore
  readonly fixed: FixedSettings
  onFault(fault: unknown): void
  /** Told what is in force, each time that it was looked up. */
  onLoad?(values: Settings): void
}): Promise<LiveSettings> {
  const { store, fixed, onFault, onLoad = () => {} } = parts
  const values: Partial<Record<SettingKey, unknown>> = {}
  for (const key of settingKeys) values[key] = registry[key].type.parse(registry[key].preset)
  const inLine = openInLine()
  const load = async () => {
    const stored = await store.all()
    for (const key of settingKeys) {
      const type: SettingType = registry[key].type
      try {
        values[key] = type.parse(settingIn(key, fixed, stored).text)
      } catch (fault) {
        onFault(fault)
      }
    }
    onLoad(values as Settings)
  }
  await load()
  return { values: values as Settings, reload: () => inLine(load) }
}
