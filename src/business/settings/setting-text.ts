import type { Ms } from '../../domain/clock'
import { registry, settingKeys, type SettingKey } from '../../gateway/settings/registry'
import type { SettingType } from '../../gateway/settings/types'

/**
 * A value as it would be kept: checked, in its one spelling.
 * @param now when it is set
 * @throws RangeError naming the setting
 */
export function settingText(key: SettingKey, text: string, called: string, now: Ms): string {
  const type: SettingType = registry[key].type
  try {
    return type.kept?.(text, now) ?? type.show(type.parse(text))
  } catch (thrown) {
    throw new RangeError(`${called} ${thrown instanceof Error ? thrown.message : 'is not valid'}`)
  }
}

/** A kept value as people are told of it, short; as it is where nobody can read it. */
export function toldSetting(name: string, text: string): string {
  const key = settingKeys.find((each) => registry[each].name === name)
  if (key === undefined) return text
  const type: SettingType = registry[key].type
  if (type.fromFile === undefined) return text
  try {
    return String(type.plain(type.parse(text), 0 as Ms) ?? 'none')
  } catch {
    return `${text.length} characters`
  }
}
