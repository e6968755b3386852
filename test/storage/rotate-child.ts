/** Rotates the keys of a folder, or finishes that, and kills itself at a step: `FOLDER rotate|finish STEP`. */
import { finishRotation, rotateSecrets } from '../../src/business/operators/rotate-secrets'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'

const [folder = '', what = '', at = ''] = process.argv.slice(2)
let steps = 0
const onStep = (step: string) => {
  if (step === at || String(++steps) === at) process.kill(process.pid, 'SIGKILL')
}
const { secrets } = openStorage({ folder, exclusive: false, clock: systemClock })
process.stdout.write('open\n')
if (what === 'rotate') await rotateSecrets(secrets, { to: null, waitMs: 0, onStep })
else await finishRotation(secrets, { to: null, onStep })
