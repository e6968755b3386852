import type { NativeAbility } from '../vendor'

/**
 * Moderation in the reference format (openai/openai-openapi `CreateModerationRequest`): it takes no more
 * than what is judged.
 */
export const moderations: NativeAbility = {
  path: () => '/moderations',
  shape: (body) => ({
    set: {},
    drop: Object.keys(body).filter((name) => name !== 'input' && name !== 'model'),
  }),
}
