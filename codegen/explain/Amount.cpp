#include "codegen/explain/Amount.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace axloom;
using namespace axloom::codegen;

void Amount::add(int64_t factor, llvm::ArrayRef<Dimension> dimensions) {
  std::vector<Atom> atoms;
  for (const Dimension &dimension : dimensions) {
    std::vector<std::string> symbols;
    for (mlir::StringAttr symbol : dimension.size.getSymbols())
      symbols.push_back(symbol.str());
    if (symbols.empty()) {
      factor *= llvm::divideCeil(dimension.size.getFactor(), dimension.divisor);
    } else if (dimension.divisor == 1) {
      factor *= dimension.size.getFactor();
      for (std::string &symbol : symbols)
        atoms.push_back({1, {std::move(symbol)}, 1});
    } else {
      atoms.push_back({dimension.size.getFactor(), std::move(symbols), dimension.divisor});
    }
  }
  llvm::sort(atoms);
  if (factor != 0)
    terms[std::move(atoms)] += factor;
}

void Amount::add(int64_t factor, ir::SizeAttr size) { add(factor, Dimension{size}); }

Amount &Amount::operator+=(const Amount &other) {
  for (const auto &[atoms, factor] : other.terms)
    terms[atoms] += factor;
  return *this;
}

double Amount::Atom::at(SymbolValue valueOf) const {
  double product = double(factor);
  for (const std::string &symbol : symbols)
    product *= valueOf(symbol);
  return std::ceil(product / double(divisor));
}

double Amount::at(SymbolValue valueOf) const {
  double sum = 0;
  for (const auto &[atoms, factor] : terms) {
    double product = double(factor);
    for (const Atom &atom : atoms)
      product *= atom.at(valueOf);
    sum += product;
  }
  return sum;
}

std::string Amount::Atom::str() const {
  std::string product = llvm::join(symbols, "*");
  if (factor != 1)
    product = std::to_string(factor) + "*" + product;
  return divisor == 1 ? product : "ceil(" + product + " / " + std::to_string(divisor) + ")";
}

std::string Amount::str() const {
  std::vector<std::string> products;
  for (const auto &[atoms, factor] : terms) {
    std::vector<std::string> factors;
    if (factor != 1 || atoms.empty())
      factors.push_back(std::to_string(factor));
    for (const Atom &atom : atoms)
      factors.push_back(atom.str());
    products.push_back(llvm::join(factors, "*"));
  }
  return products.empty() ? "0" : llvm::join(products, " + ");
}
