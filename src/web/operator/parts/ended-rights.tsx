import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Dialog } from '../../parts/dialog'
import type { Result } from '../operate'

/** Rights of others that ended with a change of an operator. */
export type Ended = Result<'DELETE /operators/{name}'>['ended']

interface EndedRightsProps {
  readonly ended: Ended
  readonly onClose: () => void
}

/** Dialog that names what ended with an operator's rights; nothing where nothing did. */
export function EndedRights({ ended, onClose }: EndedRightsProps) {
  const t = useTranslations('operators')
  const { keys, lowered, links, looks } = ended
  if (keys.length + lowered.length + links.length + looks === 0) return null
  return (
    <Dialog opened onClose={onClose} title={t('ended')}>
      <Stack>
        <Named label={t('endedKeys', { count: keys.length })} names={namesOf(keys)} />
        <Named label={t('loweredKeys', { count: lowered.length })} names={namesOf(lowered)} />
        <Named label={t('endedLinks', { count: links.length })} names={links} />
        {looks > 0 && <Text size="sm">{t('endedLooks', { count: looks })}</Text>}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('understood')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const namesOf = (keys: Ended['keys']): readonly string[] => keys.map(({ name }) => name)

interface NamedProps {
  readonly label: string
  readonly names: readonly string[]
}

function Named({ label, names }: NamedProps) {
  if (names.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={550}>
        {label}
      </Text>
      <ul className="rows">
        {names.map((name, at) => (
          <li key={at}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
