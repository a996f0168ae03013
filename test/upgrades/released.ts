/** Migrations that have been released, with the sha256 of each: databases out there were made by exactly these. */
export const released: Readonly<Record<string, string>> = {
  '001-first.sql': 'aeb8d519c367b86f31f24b952671661f0e177d1c2bf73bc6586726321511ce0a',
  '002-edited-rows.sql': '8054ddf4859e5f76830e998ffccee6cc2e5dff0ea19c34a853b5edba961c88d4',
  '003-versions.sql': 'f18d584f2b17d4d06fa6ea9163b7a4191e12fa46ccba29f7c14866a3c0e85ea0',
  '004-reviews.sql': '5ef979ac4922d586334ba39611031cdc64c03c784d44407d3ae332e65077b959',
  '005-inspections.sql': '55af5d1b972633b5eefb6f8452f0115810d622906e65ced3e455b73a8ee2fea1',
  '006-hook-calls.sql': '5d12b7c8e157ed8a86dea06dcfc6d96108d171ccdc1ddf04766357e9d9875cd4',
};
