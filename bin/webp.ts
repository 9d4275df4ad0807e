import type { BrowserContext } from '@playwright/test'

export type Shot = { width: number; quality: number }

/** Converts a screenshot in the browser. */
export async function webp(context: BrowserContext, png: Buffer, { width, quality }: Shot) {
  const page = await context.newPage()
  const made = await page.evaluate(
    async ({ data, wanted, quality }) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
      const canvas = document.createElement('canvas')
      canvas.width = wanted
      canvas.height = Math.round((image.height * wanted) / image.width)
      const paper = canvas.getContext('2d')
      if (!paper) throw new Error('The browser cannot draw')
      paper.imageSmoothingQuality = 'high'
      paper.drawImage(image, 0, 0, canvas.width, canvas.height)
      return { url: canvas.toDataURL('image/webp', quality), height: canvas.height }
    },
    { data: png.toString('base64'), wanted: width, quality },
  )
  await page.close()
  return { bytes: Buffer.from(made.url.split(',')[1] ?? '', 'base64'), height: made.height }
}
