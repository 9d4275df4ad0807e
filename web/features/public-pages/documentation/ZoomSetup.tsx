import guide from '../../../../docs/zoom-setup.md'
import { GuideChapter } from './GuideChapter.tsx'

export function ZoomSetup() {
  return <GuideChapter id="zoom-setup" title="Set up Zoom" guide={guide} />
}
