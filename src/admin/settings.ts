import type { Ms } from '../domain/clock'
import { registry, type SettingKey } from '../settings/registry'
import { settingText } from '../settings/setting-text'
import type { SettingsStore } from '../settings/settings'
import type { SettingType } from '../settings/types'
import { AdminError } from './admin-error'

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
