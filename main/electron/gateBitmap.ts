/** Blue, green, red, alpha: the accent of the window. */
const INK = [0xc8, 0x8e, 0x5a, 0xff] as const;

/** The sign of the product as pixels, four bytes each, `size` to a side. */
export function gateBitmap(size: number): Buffer {
  const pixels = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (isInk((x + 0.5) / size, (y + 0.5) / size)) pixels.set(INK, (y * size + x) * 4);
    }
  }
  return pixels;
}

/** In a unit square: a lintel on two posts, and a bar across the way. */
function isInk(x: number, y: number): boolean {
  if (x < 0.1 || x > 0.9 || y < 0.14 || y > 0.9) return false;
  const isLintel = y < 0.3;
  const isPost = x < 0.26 || x > 0.74;
  const isBar = y > 0.54 && y < 0.66;
  return isLintel || isPost || isBar;
}
