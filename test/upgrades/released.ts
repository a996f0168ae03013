/** Migrations that have been released, with the sha256 of each: databases out there were made by exactly these. */
export const released: Readonly<Record<string, string>> = {
  '001-first.sql': 'aeb8d519c367b86f31f24b952671661f0e177d1c2bf73bc6586726321511ce0a',
  '002-edited-rows.sql': '8054ddf4859e5f76830e998ffccee6cc2e5dff0ea19c34a853b5edba961c88d4',
  '003-versions.sql': 'f18d584f2b17d4d06fa6ea9163b7a4191e12fa46ccba29f7c14866a3c0e85ea0',
  '004-reviews.sql': '5ef979ac4922d586334ba39611031cdc64c03c784d44407d3ae332e65077b959',
  '005-inspections.sql': '55af5d1b972633b5eefb6f8452f0115810d622906e65ced3e455b73a8ee2fea1',
  '006-hook-calls.sql': '5d12b7c8e157ed8a86dea06dcfc6d96108d171ccdc1ddf04766357e9d9875cd4',
  '007-task-spellings.sql': 'c91ad422024fed9dfba1d0f9adefa7bde9a4dbae240786a106692b762ce6eb36',
  '008-orders.sql': 'a9e6285475c25b374d0bbfaad2fe425f019fff1160319755cd6e70783d71cba7',
  '009-attempt-facts.sql': '78f617e0862ade40cbda82c9cb4e05fee8756c18e1a4fa1ce7e493f0d81bcb9e',
  '010-turns.sql': '6d535303502e114739bfd29141b274cfaefd9eb7cfbb08a2bb3b19f7846b9e5b',
};
