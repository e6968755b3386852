import type { Ms } from '../../domain/clock'
import type { Requester } from '../operators/requester'
import { isFileSource } from '../../gateway/settings/price-settings'
import { registry, settingKeys, type SettingKey } from '../../gateway/settings/registry'
import { settingText } from './setting-text'
import type { SettingsStore } from './settings'
import type { SettingType } from '../../gateway/settings/types'
import { checkMachine } from '../accounts/access-rules'
import { AdminError } from '../operations/admin-error'

interface SettingParts {
  readonly store: SettingsStore
  readonly requester: Requester
  readonly now: Ms
}

/** The setting of this name. @throws AdminError setting_not_found */
export function settingNamed(name: string): SettingKey {
  const found = settingKeys.find((key) => registry[key].name === name)
  if (found === undefined)
    throw new AdminError('setting_not_found', {
      name,
      known: settingKeys.map((key) => registry[key].name),
    })
  return found
}

/** Whether a kept text of a setting has the service read files of its machine. */
const namesFiles = (key: SettingKey, text: string): boolean =>
  key === 'pricesSources' && registry.pricesSources.type.parse(text).some(isFileSource)

/** @throws AdminError only_on_machine | locks_you_out */
function checkRequester(requester: Requester, key: SettingKey, text: string): void {
  if (namesFiles(key, text)) checkMachine(requester, 'price_file')
  if (requester.from === 'machine' || key !== 'operatorAddresses') return
  const { address } = requester
  const isIn = registry.operatorAddresses.type.parse(text)?.has(address) ?? true
  if (!isIn) throw new AdminError('locks_you_out', { address })
}

/**
 * Changes a setting.
 * @param value as a command writes it; of a setting that is a file its content in base64, or `none`
 * @throws AdminError setting_invalid | only_on_machine | locks_you_out
 */
export async function setSetting(
  parts: SettingParts,
  key: SettingKey,
  value: string,
): Promise<void> {
  const { name } = registry[key]
  const type: SettingType = registry[key].type
  let text: string
  try {
    const read =
      type.fromFile === undefined || value === 'none'
        ? value
        : type.fromFile(new Uint8Array(Buffer.from(value, 'base64')))
    text = settingText(key, read, '', parts.now)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw new AdminError('setting_invalid', { name, rule: thrown.message.trim() })
  }
  await restoreSetting(parts, key, text)
}

/**
 * Keeps a text that a setting had before.
 * @throws AdminError only_on_machine | locks_you_out
 * @throws RangeError where this program does not take it any more
 */
export async function restoreSetting(
  { store, requester }: Omit<SettingParts, 'now'>,
  key: SettingKey,
  text: string,
): Promise<void> {
  registry[key].type.parse(text)
  checkRequester(requester, key, text)
  await store.set(registry[key].name, text)
}

/** Restores the default of a setting. @throws AdminError only_on_machine | locks_you_out */
export async function resetSetting(
  { store, requester }: Omit<SettingParts, 'now'>,
  key: SettingKey,
): Promise<void> {
  checkRequester(requester, key, registry[key].preset)
  await store.unset(registry[key].name)
}
