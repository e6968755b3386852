import { checkPattern } from '../../gateway/identity/allowed-models'
import { AdminError } from '../operations/admin-error'

/**
 * Checks patterns of models.
 * @throws AdminError model_pattern_invalid for the first that no model could be called
 */
export function checkPatterns(patterns: readonly string[]): void {
  for (const pattern of patterns)
    try {
      checkPattern(pattern)
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown
      throw new AdminError('model_pattern_invalid', { pattern })
    }
}
