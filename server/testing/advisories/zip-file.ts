import { crc32, deflateRawSync } from 'node:zlib';

/** A file to pack. A number that is given replaces the correct one in the archive, which damages it on purpose. */
export interface PackedFile {
  readonly name: string;
  readonly content: string;
  readonly method?: number;
  readonly flags?: number;
  readonly checksum?: number;
  readonly offset?: number;
}

interface ZipOptions {
  /** Writes sizes, positions and the number of files in the fields of ZIP64, as archives of many files do. */
  readonly isZip64?: boolean;
  readonly comment?: string;
}

const DEFLATED = 8;
const IN_ZIP64 = 0xffffffff;

/** Packs files into a ZIP archive, as public advisory databases are published. */
export function zipOf(
  files: readonly PackedFile[],
  { isZip64 = false, comment = '' }: ZipOptions = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const file of files) {
    const { name, content, method = DEFLATED, flags = 0 } = file;
    const plain = Buffer.from(content);
    const packed = method === DEFLATED ? deflateRawSync(plain) : plain;
    const checksum = file.checksum ?? crc32(plain);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(checksum, 16);
    const numbers = [plain.length, packed.length, file.offset ?? position];
    for (const [index, at] of [24, 20, 42].entries())
      entry.writeUInt32LE(isZip64 ? IN_ZIP64 : (numbers[index] ?? 0), at);
    const extra = isZip64 ? zip64Field(numbers) : Buffer.alloc(0);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt16LE(extra.length, 30);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name), extra);
    position += local.length + Buffer.byteLength(name) + packed.length;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...parts, listed, ...endOf(files.length, listed.length, position, isZip64, comment)]);
}

function zip64Field(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  for (const [index, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * index);
  return extra;
}

function endOf(files: number, bytes: number, offset: number, isZip64: boolean, comment: string): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isZip64 ? 0xffff : files, 10);
  end.writeUInt32LE(isZip64 ? IN_ZIP64 : bytes, 12);
  end.writeUInt32LE(isZip64 ? IN_ZIP64 : offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  if (!isZip64) return [end, Buffer.from(comment)];
  const zip64 = Buffer.alloc(56);
  zip64.writeUInt32LE(0x06064b50, 0);
  for (const [index, number] of [files, files, bytes, offset].entries())
    zip64.writeBigUInt64LE(BigInt(number), 24 + 8 * index);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  return [zip64, locator, end, Buffer.from(comment)];
}
