import { nativeImage, type NativeImage } from 'electron/common';
import { gateBitmap } from './gateBitmap.ts';

/** A gate: two posts, a lintel, and the way through. Drawn here, so that there is no file to be missing. */
export function gateIcon(size: number): NativeImage {
  return nativeImage.createFromBitmap(gateBitmap(size), { width: size, height: size, scaleFactor: 1 });
}
