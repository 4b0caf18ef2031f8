#include "ir/adjoints/Term.h"

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

template <typename Op, typename... Arguments>
static Term build(const Term &place, Arguments... arguments) {
  return place.at(Op::create(*place.builder, place.location, arguments...));
}

static ArrayAttr axisNames(const Term &place, ArrayRef<StringAttr> names) {
  return place.builder->getArrayAttr(SmallVector<Attribute>(names.begin(), names.end()));
}

Term Term::number(double number) const {
  return build<ConstantOp>(*this, builder->getFloatAttr(type().getElementType(), number));
}

Term axloom::ir::operator-(Term x) { return build<NegOp>(x, x.value); }
Term axloom::ir::operator+(Term a, Term b) { return build<AddOp>(a, a.value, b.value); }
Term axloom::ir::operator-(Term a, Term b) { return build<SubOp>(a, a.value, b.value); }
Term axloom::ir::operator*(Term a, Term b) { return build<MulOp>(a, a.value, b.value); }
Term axloom::ir::operator/(Term a, Term b) { return build<DivOp>(a, a.value, b.value); }

Term axloom::ir::exp(Term x) { return build<ExpOp>(x, x.value); }
Term axloom::ir::log(Term x) { return build<LogOp>(x, x.value); }
Term axloom::ir::pow(Term a, Term b) { return build<PowOp>(a, a.value, b.value); }
Term axloom::ir::sin(Term x) { return build<SinOp>(x, x.value); }
Term axloom::ir::cos(Term x) { return build<CosOp>(x, x.value); }
Term axloom::ir::floor(Term x) { return build<FloorOp>(x, x.value); }

Term axloom::ir::sign(Term x) { return 2.0 * half(x, x.number(0)) - 1.0; }

Term axloom::ir::half(Term a, Term b) {
  Term tied = select(compare("eq", a, b), a.number(0.5), a.number(0));
  return select(compare("gt", a, b), a.number(1), tied);
}

static bool isConstant(Term x) { return x.value.getDefiningOp<ConstantOp>() != nullptr; }

/// 1 where y is not the constant that it was compared with.
static Term differs(Term y, Term constant) {
  return select(compare("ne", y, constant), y.number(1), y.number(0));
}

Term axloom::ir::shareOfMaximum(Term a, Term b, Term y) {
  return isConstant(b) ? differs(y, b) : half(a, b);
}

Term axloom::ir::shareOfMinimum(Term a, Term b, Term y) {
  return isConstant(b) ? differs(y, b) : half(b, a);
}

Term axloom::ir::converted(Term x, Type element) {
  return x.type().getElementType() == element ? x : build<CastOp>(x, x.value, element);
}

Term axloom::ir::compare(StringRef predicate, Term a, Term b) {
  return build<CompareOp>(a, predicate, a.value, b.value);
}

Term axloom::ir::select(Term mask, Term a, Term b) {
  return build<SelectOp>(mask, mask.value, a.value, b.value);
}

Term axloom::ir::sum(Term x, ArrayRef<StringAttr> over) {
  return over.empty() ? x : build<ReduceOp>(x, StringRef("sum"), x.value, axisNames(x, over));
}

Term axloom::ir::contract(Term a, Term b, ArrayRef<StringAttr> over) {
  return over.empty() ? a * b : build<ContractOp>(a, a.value, b.value, axisNames(a, over));
}

Term axloom::ir::extent(Term x, StringRef axis) {
  SizeAttr extent = x.type().sizeOf(axis);
  SizeAttr entries = extent.isRagged() ? x.type().sizeOf(extent.getRaggedOver()) : nullptr;
  Type element = x.type().getElementType();
  return build<SizeOfOp>(x, extent, entries, element.isF32() ? TypeAttr() : TypeAttr::get(element));
}
