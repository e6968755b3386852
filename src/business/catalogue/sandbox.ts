import { registry } from '../../gateway/settings/registry'
import { settingIn, type FixedSettings } from '../settings/settings'
import type { Storage } from '../data/storage'

type Kept = Pick<Storage, 'settings'>

/** Whether the sandbox's models are on sale. @param fixed what the environment of the gateway says */
export const isSandboxOn = async ({ settings }: Kept, fixed: FixedSettings): Promise<boolean> =>
  registry.sandbox.type.parse(settingIn('sandbox', fixed, await settings.all()).text)

/** Puts the sandbox on sale, or takes it off; where the environment says otherwise, that wins. */
export const setSandbox = ({ settings }: Kept, on: boolean): Promise<void> =>
  settings.set(registry.sandbox.name, registry.sandbox.type.show(on))
