import type { Ms } from '../domain/clock'
import { registry, type SettingKey } from '../settings/registry'
import { settingText } from '../settings/setting-text'
import type { SettingsStore } from '../settings/settings'
import type { SettingType } from '../settings/types'
import { AdminError } from './admin-error'

/** Whether a value of a setting would have the service read files of its machine. */
export const namesFiles = (key: SettingKey, value: string): boolean =>
  key === 'pricesSources' && value.split(/[\s,]+/).some((word) => /^(?:\/|file:)/.test(word))

/**
 * Changes a setting.
 * @param value as a command writes it; of a setting that is a file its content in base64, or `none`
 * @throws AdminError setting_invalid
 */
export async function setSetting(
  store: SettingsStore,
  key: SettingKey,
  value: string,
  now: Ms,
): Promise<void> {
  const { name } = registry[key]
  const type: SettingType = registry[key].type
  // Whoever is elsewhere has nothing read there.
  if (namesFiles(key, value))
    throw new AdminError('setting_invalid', { name, rule: 'names files: a command there may' })
  try {
    const text =
      type.fromFile === undefined || value === 'none'
        ? value
        : type.fromFile(new Uint8Array(Buffer.from(value, 'base64')))
    await store.set(name, settingText(key, text, '', now))
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw new AdminError('setting_invalid', { name, rule: thrown.message.trim() })
  }
}

/** Restores the default of a setting. */
export async function resetSetting(store: SettingsStore, key: SettingKey): Promise<void> {
  await store.unset(registry[key].name)
}
