/**
 * Steps before the first release that databases may come from. Without statements they stand in a list of steps before
 * the one that makes what all of them made: a database in use has them all, or is too old.
 */
export function lacksSquashed<Step>(
  all: readonly Step[],
  pending: readonly Step[],
  statementsOf: (step: Step) => readonly string[],
): boolean {
  const start = all.findLastIndex((step) => statementsOf(step).length === 0) + 1
  return start > 0 && all.slice(0, start + 1).some((step) => pending.includes(step))
}

export const tooOldToMigrate =
  'the data are of a release that this program cannot bring up: open them once with the program of commit f6524a40, and then with this one'
