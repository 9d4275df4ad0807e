import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'

const INK = '#0c1f29'
/** The mark's own ground, so that a system may cut the icon to any shape. */
const GROUND = '#17404a'

/** Draws the logo in the sizes that browsers and phones need, and the preview picture of links to Parley. */
export async function drawIcons(browser: Browser, folder: string) {
  const mark = await readFile(join(folder, 'favicon.svg'), 'utf8')
  const page = await (await browser.newContext()).newPage()

  async function draw(name: string, width: number, height: number, body: string) {
    await page.setViewportSize({ width, height })
    await page.setContent(`<body style="margin:0;width:${width}px;height:${height}px;display:grid">${body}</body>`)
    await writeFile(join(folder, name), await page.screenshot({ omitBackground: true }))
  }

  const square = (size: number) => mark.replace('<svg ', `<svg width="${size}" height="${size}" `)
  const onGround = (size: number) =>
    `<div style="display:grid;place-items:center;background:${GROUND}">${square(Math.round(size * 0.72))}</div>`

  await draw('icon-192.png', 192, 192, square(192))
  await draw('icon-512.png', 512, 512, square(512))
  await draw('icon-maskable-512.png', 512, 512, onGround(512))
  await draw('apple-touch-icon.png', 180, 180, onGround(180))
  await draw('preview.png', 1200, 630, preview(square(120)))
  await page.context().close()
}

function preview(mark: string): string {
  return `<div style="display:flex;flex-direction:column;justify-content:center;gap:36px;padding:0 90px;background:${INK};
    color:#e8f0f1;font:600 44px/1.3 'Segoe UI',Roboto,'Liberation Sans',sans-serif">
    <div style="display:flex;align-items:center;gap:32px;font-size:92px;letter-spacing:-2px">${mark}Parley</div>
    <div>Your trusted digital companion</div>
    <div style="color:#a3b7be;font-weight:400;font-size:34px">
      Large audio-only meetings on Zoom: who is on which phone, who speaks, who asks to.
    </div>
  </div>`
}
