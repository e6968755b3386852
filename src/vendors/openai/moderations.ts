import type { NativeAbility } from '../vendor'

/** Judging in the reference format: it takes no more than what is judged. */
export const moderations: NativeAbility = {
  path: () => '/moderations',
  shape: (body) => ({
    set: {},
    drop: Object.keys(body).filter((name) => name !== 'input' && name !== 'model'),
  }),
}
