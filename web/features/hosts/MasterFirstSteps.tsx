import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import type { Host } from '../../../shared/hosts.ts'
import { site } from '../../lib/site.ts'
import { Steps } from '../../ui/Steps.tsx'
import { useStored } from '../../ui/use-stored.ts'
import { EditHostModal } from './edit/EditHostModal.tsx'

const IsOver = z.boolean()

type MasterFirstStepsProps = { hosts: Host[]; onAdd: () => void }

/** Guides a master to a first host with Zoom; disappears for good once there has been one. */
export function MasterFirstSteps({ hosts, onAdd }: MasterFirstStepsProps) {
  const [isOver, setOver] = useStored('parley.first-host-connected', IsOver, false)
  const isConnected = hosts.some(({ zoom_status }) => zoom_status !== 'not_connected')
  useEffect(() => {
    if (isConnected) setOver(true)
  }, [isConnected, setOver])

  const [connecting, setConnecting] = useState<Host | null>(null)
  const [first] = hosts
  // Stays open when the connection has removed the steps.
  const modal = connecting ? <EditHostModal host={connecting} onClose={() => setConnecting(null)} /> : null
  if (isOver || isConnected) return modal
  return (
    <>
      {modal}
      <Steps
        title="Set up Parley"
        steps={[
          {
            title: 'Set up Zoom',
            text: site.demo_zoom
              ? 'Demo Zoom is in use: you can try everything, and no real Zoom account is touched.'
              : 'Your Zoom app is set up.',
            isDone: true,
          },
          {
            title: 'Add a host',
            text: 'A host has one room, and manages the users in it.',
            isDone: first !== undefined,
            action: <Button onClick={onAdd}>Add a host</Button>,
          },
          {
            title: 'Connect it to Zoom',
            text: 'The host allows it once, in a window of Zoom. Its meetings then run in that account.',
            isDone: false,
            action: first ? <Button onClick={() => setConnecting(first)}>Connect Zoom</Button> : undefined,
          },
        ]}
      />
    </>
  )
}
