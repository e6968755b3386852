import { Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'

interface DialogProps {
  readonly title: string
  readonly opened: boolean
  readonly onClose: () => void
  /** Only what is inside of it closes it. */
  readonly isHeld?: boolean
  readonly size?: 'md' | 'lg'
  readonly children: ReactNode
}

/** A dialog over the page. Its head is no `<header>`: outside of the page that is a second banner. */
export function Dialog({ title, opened, onClose, isHeld = false, size, children }: DialogProps) {
  const t = useTranslations('lists')
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      size={size ?? 'md'}
      centered={false}
    >
      <Modal.Overlay />
      <Modal.Content radius="lg">
        <Group justify="space-between" wrap="nowrap" px="lg" pt="md" pb="xs">
          <Modal.Title fz="lg" fw={650}>
            <bdi>{title}</bdi>
          </Modal.Title>
          {!isHeld && <Modal.CloseButton aria-label={t('close')} />}
        </Group>
        <Modal.Body px="lg" pb="lg">
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
